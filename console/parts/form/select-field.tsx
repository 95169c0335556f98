import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { described, Frame, type FieldBasics } from './field-frame.tsx';

export interface ChoiceProps<Value extends string> extends FieldBasics {
  value: Signal<Value>;
  options: readonly { value: Value; label: string }[];
  onChoose?: (value: Value) => void;
}

/** A field with one of several values. */
export const Choice = <Value extends string>(props: ChoiceProps<Value>): JSX.Element => {
  const { name, value, options, onChoose } = props;
  const id = useId();
  return (
    <Frame field={props} id={id}>
      <select
        id={id}
        name={name}
        class="wide"
        value={value.value}
        disabled={props.disabled ?? false}
        onChange={({ currentTarget }) => {
          value.value = currentTarget.value as Value;
          onChoose?.(value.value);
        }}
        {...described(id, props)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  );
};
