import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Field } from '../parts/form/field.tsx';
import { Form } from '../parts/form/form.tsx';
import { Checkbox } from '../parts/form/checkbox.tsx';
import { words } from '../shell/language.ts';
import { LONGEST_NAME, nameProblem, withView, type SavedViews } from './views.ts';

export interface SaveDialogProps {
  views: SavedViews;
  /** the filter to save */
  query: string;
  onChange: (how: (views: SavedViews) => SavedViews) => void;
  onClose: () => void;
}

/** A dialog for naming a view. */
export const SaveDialog = ({ views, query, onChange, onClose }: SaveDialogProps): JSX.Element => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const name = useSignal('');
  const isDefault = useSignal(false);
  const problem = useSignal<ReturnType<typeof nameProblem>>(null);
  const { common, savedViews: says } = words.value;
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const save = (): Promise<void> => {
    problem.value = nameProblem(views, name.value);
    if (problem.value === null) {
      onChange((all) => withView(all, name.value, query, isDefault.value));
      dialog.current?.close();
    }
    return Promise.resolve();
  };
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{says.saveTitle}</h2>
      <Form submit={common.save} onSubmit={save} onCancel={() => dialog.current?.close()}>
        <Field
          label={common.name}
          name="name"
          value={name}
          maxLength={LONGEST_NAME}
          hint={says.ofBrowser}
          problem={problem.value === null ? null : says.problems[problem.value]}
          autoFocus
        />
        <Checkbox label={says.openWith} name="default" value={isDefault} />
      </Form>
    </dialog>
  );
};
