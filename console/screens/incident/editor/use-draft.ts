import { signal, type Signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { emptyDraft, isWritten, type Draft } from './draft.ts';
import { storedDraft, storeDraft, type DraftLocation } from './stored-draft.ts';

/** A signal for each field of a draft, for the form fields. */
export type DraftFields = { readonly [K in keyof Draft]: Signal<Draft[K]> };

const KEYS = Object.keys(emptyDraft('incident')) as (keyof Draft)[];

/** Creates signals with the values of a draft. */
export const fieldsOf = (draft: Draft): DraftFields =>
  Object.fromEntries(KEYS.map((key) => [key, signal(draft[key])])) as unknown as DraftFields;

/** Reads the draft from its signals. A component that calls this function is rendered again on every keystroke. */
export const draftIn = (fields: DraftFields): Draft =>
  Object.fromEntries(KEYS.map((key) => [key, fields[key].value])) as unknown as Draft;

/** Sets fields of a draft. */
export const fill = (fields: DraftFields, draft: Partial<Draft>): void => {
  for (const key of KEYS) if (key in draft) (fields[key] as Signal<unknown>).value = draft[key];
};

export interface OpenDraft {
  fields: DraftFields;
  /** ids of the updates that the writer has seen */
  seen: Signal<readonly string[]>;
  /** whether the draft was started before this screen was opened */
  restored: Signal<boolean>;
  /** returns whether the draft has content */
  isWritten: () => boolean;
  /** discards the draft */
  discard: () => void;
}

/**
 * Opens a draft. The draft is stored on every keystroke, so that it survives a reload and navigation in this tab.
 *
 * @param before the initial draft for this incident
 * @param updates ids of the incident's current updates
 */
export const useDraft = (
  place: DraftLocation,
  before: Draft,
  updates: readonly string[],
  preset: Partial<Draft>,
): OpenDraft => {
  const open = useMemo(() => {
    const stored = storedDraft(place);
    const fields = fieldsOf(stored?.draft ?? { ...before, ...preset });
    return { fields, seen: signal(stored?.seen ?? updates), restored: signal(stored !== null) };
  }, [place.user_id, place.page_id, place.incident_id, place.kind]);
  const initial = useRef(before);
  const draft = draftIn(open.fields);
  const text = JSON.stringify(draft);
  const written = isWritten(draft, initial.current);
  useEffect(() => {
    storeDraft(place, written ? { draft, seen: open.seen.value } : null);
  }, [text, open.seen.value]);
  useEffect(() => {
    if (!written) {
      fill(open.fields, before);
      open.seen.value = updates;
    }
    initial.current = before;
  }, [JSON.stringify(before), updates.join()]);
  return {
    ...open,
    isWritten: () => isWritten(draftIn(open.fields), initial.current),
    discard: () => {
      fill(open.fields, initial.current);
      open.restored.value = false;
      open.seen.value = updates;
      storeDraft(place, null);
    },
  };
};
