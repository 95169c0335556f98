import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { Link } from '../../parts/link.tsx';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { words } from '../../shell/language.ts';
import { isTag, type TagCounts } from './counts.ts';

/** Shows how many objects have a tag, and how many alert rules refer to it. */
export const Usage = ({ counts: { tag, checks, heartbeats } }: { counts: TagCounts }): JSX.Element => {
  const { loaded } = useLoaded((signal) => call('GET /v1/alerts/rules', { query: { tag } }, { signal }), [tag]);
  const says = words.value.tags;
  return (
    <>
      <p>{says.affected(checks, heartbeats)}</p>
      <p>
        {says.kept}{' '}
        {loaded.status === 'loaded' && loaded.value.length > 0 && (
          <Link to="/alerts/rules">{says.rules(loaded.value.length)}</Link>
        )}
      </p>
    </>
  );
};

interface RenameDialogProps {
  counts: TagCounts;
  onRename: (next: string) => Promise<void>;
  onClose: () => void;
}

/** Asks for the new name of a tag. */
export const RenameDialog = ({ counts, onRename, onClose }: RenameDialogProps): JSX.Element => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const name = useSignal(counts.tag);
  const isRefused = useSignal(false);
  const of = useSubmit();
  const says = words.value.tags;
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const rename = async (): Promise<void> => {
    const next = name.value.trim();
    isRefused.value = !isTag(next);
    if (isRefused.value) return;
    if (next !== counts.tag) await onRename(next);
    dialog.current?.close();
  };
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{says.renameTitle(counts.tag)}</h2>
      <div class="text">
        <Usage counts={counts} />
        <p>{says.renameText}</p>
      </div>
      <Form submit={says.rename} of={of} onSubmit={rename} onCancel={() => dialog.current?.close()}>
        <Field
          label={says.newName}
          name="name"
          value={name}
          problem={isRefused.value ? says.rule : null}
          code
          autoFocus
        />
      </Form>
    </dialog>
  );
};
