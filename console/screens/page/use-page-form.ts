import { signal, useComputed, useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { Failure } from '../../api/failure.ts';
import { useSubmit, type Submit } from '../../parts/form/use-submit.ts';
import { useUnsaved } from '../../router/unsaved.ts';
import { call } from '../../session/call.ts';
import {
  changesOf,
  FLAG_NAMES,
  TEXT_NAMES,
  pageFormValuesOf,
  type FlagName,
  type Page,
  type PageChange,
  type TextName,
  type PageFormValues,
} from './draft.ts';

/** A form for some fields of a page. */
export interface PageForm {
  of: Submit;
  /** the version of the page from which the form was initialized */
  base: Page;
  text: (name: TextName) => Signal<string>;
  flag: (name: FlagName) => Signal<boolean>;
  origins: Signal<readonly string[]>;
  /** the fields with unsaved changes */
  changes: ReadonlySignal<PageChange>;
  /** whether another user has saved the page in the meantime */
  conflict: ReadonlySignal<boolean>;
  /** @throws Failure */
  save: () => Promise<void>;
  /** overwrites the other user's version */
  saveOver: () => void;
  /** discards the input and shows the current page */
  loadTheirs: () => void;
}

/** The value of each field. */
interface Fields {
  texts: ReadonlyMap<TextName, Signal<string>>;
  flags: ReadonlyMap<FlagName, Signal<boolean>>;
  origins: Signal<readonly string[]>;
}

const fieldsOf = (page: Page): Fields => {
  const { texts, flags, origins } = pageFormValuesOf(page);
  return {
    texts: new Map(TEXT_NAMES.map((name) => [name, signal(texts[name])])),
    flags: new Map(FLAG_NAMES.map((name) => [name, signal(flags[name])])),
    origins: signal(origins),
  };
};

const fill = (fields: Fields, page: Page): void => {
  const { texts, flags, origins } = pageFormValuesOf(page);
  for (const [name, text] of fields.texts) text.value = texts[name];
  for (const [name, flag] of fields.flags) flag.value = flags[name];
  fields.origins.value = origins;
};

const typedIn = ({ texts, flags, origins }: Fields): PageFormValues => ({
  texts: Object.fromEntries([...texts].map(([name, text]) => [name, text.value])) as PageFormValues['texts'],
  flags: Object.fromEntries([...flags].map(([name, flag]) => [name, flag.value])) as PageFormValues['flags'],
  origins: origins.value,
});

const field = <Name, Value>(fields: ReadonlyMap<Name, Signal<Value>>, name: Name): Signal<Value> => {
  const found = fields.get(name);
  if (!found) throw new TypeError(`There is no field ${String(name)}.`);
  return found;
};

/**
 * Edits fields of a page. Sends only changed fields. If another user has saved the page in the meantime, sends nothing
 * and reports a conflict.
 *
 * @param onSaved called with the saved page
 */
export const usePageForm = (page: Page, onSaved: (page: Page) => void): PageForm => {
  const of = useSubmit();
  const base = useSignal(page);
  const conflict = useSignal(false);
  const fields = useMemo(() => fieldsOf(page), []);
  const changes = useComputed(() => changesOf(base.value, typedIn(fields)));
  const isChanged = useComputed(() => Object.keys(changes.value).length > 0);
  const hasChanges = isChanged.value;
  useUnsaved(hasChanges);

  const take = (next: Page): void => {
    base.value = next;
    conflict.value = false;
    of.clear();
    fill(fields, next);
  };
  // If there is no unsaved input, changes by other users are shown immediately. Otherwise saving reports the conflict.
  useEffect(() => {
    if (!hasChanges && page.revision > base.peek().revision) take(page);
  }, [page, hasChanges]);

  const send = async (headers: Readonly<Record<string, string>>): Promise<void> => {
    if (!isChanged.peek()) return;
    const { id } = base.value;
    const saved = await call(
      'PATCH /v1/pages/{page_id}',
      { params: { page_id: id }, body: changes.peek() },
      { headers },
    );
    take(saved);
    onSaved(saved);
  };
  const save = async (): Promise<void> => {
    try {
      await send({ 'If-Match': `"${base.value.revision}"` });
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 412) throw error;
      conflict.value = true;
    }
  };
  return {
    of,
    base: base.value,
    text: (name) => field(fields.texts, name),
    flag: (name) => field(fields.flags, name),
    origins: fields.origins,
    changes,
    conflict,
    save,
    saveOver: () => {
      void of.send(() => send({}));
    },
    loadTheirs: () => {
      void of.send(async () => {
        const theirs = await call('GET /v1/pages/{page_id}', { params: { page_id: base.value.id } });
        take(theirs);
        onSaved(theirs);
      });
    },
  };
};
