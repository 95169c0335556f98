import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { FieldHints, describingIds, type FieldBasics } from './field-frame.tsx';

export interface CheckboxProps extends FieldBasics {
  value: Signal<boolean>;
}

export const Checkbox = (props: CheckboxProps): JSX.Element => {
  const { label, name, value } = props;
  const id = useId();
  return (
    <div class="field">
      <label class="tick">
        <input
          type="checkbox"
          name={name}
          checked={value.value}
          disabled={props.disabled ?? false}
          onChange={({ currentTarget }) => {
            value.value = currentTarget.checked;
          }}
          {...describingIds(id, props)}
        />
        <span>{label}</span>
      </label>
      <FieldHints field={props} id={id} />
    </div>
  );
};
