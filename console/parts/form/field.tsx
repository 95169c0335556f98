import { useSignal, type Signal } from '@preact/signals';
import type { InputHTMLAttributes, JSX, Ref } from 'preact';
import { useId } from 'preact/hooks';
import { words } from '../../shell/language.ts';
import { describingIds, FieldFrame, type FieldBasics } from './field-frame.tsx';

export interface FieldProps extends FieldBasics {
  type?: 'text' | 'email' | 'password' | 'url' | 'search' | 'date' | 'time';
  /** what browsers and password managers may fill in */
  autocomplete?: InputHTMLAttributes['autocomplete'];
  /** the typed text */
  value: Signal<string>;
  inputMode?: 'numeric' | 'email' | 'text' | 'url';
  /** example shown while the field is empty */
  placeholder?: string;
  maxLength?: number;
  /** whether the font is monospaced, as for keys and codes */
  code?: boolean;
  autoFocus?: boolean;
  inputRef?: Ref<HTMLInputElement>;
}

/**
 * Returns the attribute `type` of an input. Preact's type definitions accept only literal values for this attribute, so
 * the value is cast.
 */
export const inputType = (type: string): { type: 'text' } => ({ type }) as { type: 'text' };

/** A single-line text field. Secrets can be revealed. */
export const Field = (props: FieldProps): JSX.Element => {
  const { label, name, type = 'text', value, optional = false } = props;
  const id = useId();
  const shown = useSignal(false);
  return (
    <FieldFrame field={props} id={id}>
      <div class="input">
        <input
          id={id}
          ref={props.inputRef ?? null}
          name={name}
          {...inputType(shown.value ? 'text' : type)}
          class={props.code ? 'code' : undefined}
          value={value.value}
          onInput={({ currentTarget }) => {
            value.value = currentTarget.value;
          }}
          autocomplete={props.autocomplete ?? 'off'}
          inputMode={props.inputMode}
          placeholder={props.placeholder}
          maxLength={props.maxLength}
          autocapitalize="none"
          spellcheck={false}
          autoFocus={props.autoFocus ?? false}
          required={!optional}
          disabled={props.disabled ?? false}
          {...describingIds(id, props)}
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
    </FieldFrame>
  );
};
