import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { words } from '../../shell/language.ts';
import { Field } from '../form/field.tsx';
import { Form } from '../form/form.tsx';
import { useSubmit } from '../form/use-submit.ts';

export interface ConfirmDialogProps {
  /** the question: `Delete the check?` */
  title: string;
  /** the consequences */
  text: ComponentChildren;
  /** label of the confirming button */
  action: string;
  danger?: boolean;
  /** name that the user must type to confirm the loss of important data */
  name?: string;
  /** performs the action. The dialog shows a Failure that it throws, and otherwise closes */
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks the user to confirm an action that can't be undone. */
export const ConfirmDialog = (props: ConfirmDialogProps): JSX.Element => {
  const { title, text, action, danger = false, name, onConfirm, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const of = useSubmit();
  const typed = useSignal('');
  const wrong = useSignal(false);
  const { typeName, nameDiffers } = words.value.common;
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const confirm = async (): Promise<void> => {
    wrong.value = name !== undefined && typed.value.trim() !== name.trim();
    if (wrong.value) return;
    await onConfirm();
    dialog.current?.close();
  };
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      <div class="text">{text}</div>
      <Form submit={action} danger={danger} of={of} onSubmit={confirm} onCancel={() => dialog.current?.close()}>
        {name !== undefined && (
          <Field
            label={typeName(name)}
            name="confirmation"
            value={typed}
            problem={wrong.value ? nameDiffers : null}
            autoFocus
          />
        )}
      </Form>
    </dialog>
  );
};
