import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';

export interface FormProps {
  /** the word on its button */
  submit: string;
  /** what is wrong with the whole of it */
  problem: string | null;
  onSubmit: () => Promise<void>;
  children: ComponentChildren;
}

/** A form that is sent by script, once at a time. Afterwards the first field that is wrong has the focus. */
export const Form = ({ submit, problem, onSubmit, children }: FormProps): JSX.Element => {
  const busy = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const send = async (): Promise<void> => {
    if (busy.value) return;
    busy.value = true;
    try {
      await onSubmit();
    } finally {
      busy.value = false;
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    }
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {problem !== null && (
        <p class="problem whole" role="alert">
          {problem}
        </p>
      )}
      {children}
      <button class="button primary wide" aria-disabled={busy.value}>
        {submit}
      </button>
    </form>
  );
};
