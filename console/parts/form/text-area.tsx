import type { Signal } from '@preact/signals';
import type { JSX, Ref } from 'preact';
import { useId } from 'preact/hooks';
import { describingIds, FieldFrame, type FieldBasics } from './field-frame.tsx';

export interface TextAreaProps extends FieldBasics {
  value: Signal<string>;
  rows?: number;
  /** whether the font is monospaced and spell checking is off */
  code?: boolean;
  placeholder?: string;
  autoFocus?: boolean;
  inputRef?: Ref<HTMLTextAreaElement>;
}

/** A multi-line text field. */
export const TextArea = (props: TextAreaProps): JSX.Element => {
  const { name, value, rows = 4, code = false, optional = false } = props;
  const id = useId();
  return (
    <FieldFrame field={props} id={id}>
      <div class="input">
        <textarea
          id={id}
          ref={props.inputRef ?? null}
          name={name}
          rows={rows}
          class={code ? 'code' : undefined}
          value={value.value}
          onInput={({ currentTarget }) => {
            value.value = currentTarget.value;
          }}
          placeholder={props.placeholder}
          spellcheck={!code}
          autoFocus={props.autoFocus ?? false}
          required={!optional}
          disabled={props.disabled ?? false}
          {...describingIds(id, props)}
        />
      </div>
    </FieldFrame>
  );
};
