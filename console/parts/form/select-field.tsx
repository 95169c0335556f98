import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { describingIds, FieldFrame, type FieldBasics } from './field-frame.tsx';

export interface SelectFieldProps<Value extends string> extends FieldBasics {
  value: Signal<Value>;
  options: readonly { value: Value; label: string }[];
  onChoose?: (value: Value) => void;
}

/** A field for choosing one of several values. */
export const SelectField = <Value extends string>(props: SelectFieldProps<Value>): JSX.Element => {
  const { name, value, options, onChoose } = props;
  const id = useId();
  return (
    <FieldFrame field={props} id={id}>
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
        {...describingIds(id, props)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
};
