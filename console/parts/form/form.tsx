import type { ComponentChildren, JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { usePast } from '../../past/past.ts';
import { words } from '../../shell/language.ts';
import { sentenceOf } from '../failure-panel.tsx';
import { useSubmit, type Submit } from './use-submit.ts';

export interface FormProps {
  /** label of the submit button */
  submit: string;
  /** state of the submission. if absent, the form shows only `problem`, and the caller shows all other errors */
  of?: Submit;
  problem?: string | null;
  /** submits the values; the form shows a Failure that it throws */
  onSubmit: () => Promise<void>;
  onCancel?: () => void;
  /** whether submitting is destructive */
  danger?: boolean;
  /** further buttons next to the submit button */
  buttons?: ComponentChildren;
  /** whether the submit button is as wide as the form, as on pages outside the signed-in console */
  wide?: boolean;
  children: ComponentChildren;
}

/** Shows the errors that belong to no field. */
const Head = ({ of }: { of: Submit }): JSX.Element | null => {
  const failure = of.failure.value;
  const others = of.others();
  if (failure === null || (others.length === 0 && Object.keys(failure.fields).length > 0)) return null;
  return (
    <div class="problem whole" role="alert">
      {others.length > 0 ? others.map((sentence) => <p key={sentence}>{sentence}</p>) : <p>{sentenceOf(failure)}</p>}
      {failure.requestId !== null && (
        <p class="fine">
          {words.value.failure.request} <code>{failure.requestId}</code>
        </p>
      )}
    </div>
  );
};

/**
 * A form that is submitted by script, one submission at a time. After an error, the first invalid field gets the focus.
 * In a past state, the fields are disabled.
 */
export const Form = (props: FormProps): JSX.Element => {
  const { submit, problem = null, onSubmit, onCancel, buttons, wide = false, danger = false, children } = props;
  const own = useSubmit();
  const of = props.of ?? own;
  const form = useRef<HTMLFormElement>(null);
  const isPast = usePast() !== null;
  const send = async (): Promise<void> => {
    await of.send(onSubmit);
    requestAnimationFrame(() => {
      const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
      const folded = field?.closest('details');
      if (folded) folded.open = true;
      field?.focus();
    });
  };
  if (isPast)
    return (
      <form class="read-only">
        <fieldset class="past-form" disabled>
          {children}
        </fieldset>
      </form>
    );
  return (
    <form
      ref={form}
      noValidate={!wide}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Head of={of} />
      {problem !== null && (
        <p class="problem whole" role="alert">
          {problem}
        </p>
      )}
      {children}
      <div class={wide ? undefined : 'form-buttons'}>
        <button class={`button ${danger ? 'danger' : 'primary'}${wide ? ' wide' : ''}`} aria-disabled={of.busy.value}>
          {submit}
        </button>
        {buttons}
        {onCancel && (
          <button type="button" class="button quiet" onClick={onCancel}>
            {words.value.common.cancel}
          </button>
        )}
      </div>
    </form>
  );
};
