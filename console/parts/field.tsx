import { useSignal, type Signal } from '@preact/signals';
import type { InputHTMLAttributes, JSX, Ref } from 'preact';
import { useId } from 'preact/hooks';
import { words } from '../shell/language.ts';

export interface FieldProps {
  label: string;
  name: string;
  type?: 'text' | 'email' | 'password';
  /** what a browser or a password manager may fill in */
  autocomplete?: InputHTMLAttributes['autocomplete'];
  /** what is typed */
  value: Signal<string>;
  /** what is wrong with it; null: nothing is known to be */
  problem?: string | null;
  /** what it may be */
  hint?: string;
  inputMode?: 'numeric' | 'email' | 'text';
  /** whether it has a fixed width, as keys and codes have */
  code?: boolean;
  autoFocus?: boolean;
  inputRef?: Ref<HTMLInputElement>;
}

/** The attribute `type`. Preact's types tell inputs apart by it, and know none of one type among several. */
const typed = (type: string): { type: 'text' } => ({ type }) as { type: 'text' };

/** A field of a form, with its label, its hint and what is wrong with it. What is secret can be shown. */
export const Field = (props: FieldProps): JSX.Element => {
  const { label, name, type = 'text', autocomplete, value, problem = null, hint, inputMode } = props;
  const id = useId();
  const shown = useSignal(false);
  const described = [hint !== undefined && `${id}-hint`, problem !== null && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="input">
        <input
          id={id}
          ref={props.inputRef ?? null}
          name={name}
          {...typed(shown.value ? 'text' : type)}
          class={props.code ? 'code' : undefined}
          value={value.value}
          onInput={({ currentTarget }) => {
            value.value = currentTarget.value;
          }}
          autocomplete={autocomplete}
          inputMode={inputMode}
          autocapitalize="none"
          spellcheck={false}
          autoFocus={props.autoFocus ?? false}
          required
          aria-invalid={problem !== null}
          aria-describedby={described || undefined}
        />
        {type === 'password' && (
          <button
            type="button"
            class="reveal"
            aria-pressed={shown.value}
            aria-label={`${shown.value ? words.value.signIn.hidePassword : words.value.signIn.showPassword}: ${label}`}
            onClick={() => {
              shown.value = !shown.value;
            }}
          >
            {shown.value ? words.value.signIn.hidePassword : words.value.signIn.showPassword}
          </button>
        )}
      </div>
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {problem !== null && (
        <p id={`${id}-problem`} class="problem">
          {problem}
        </p>
      )}
    </div>
  );
};
