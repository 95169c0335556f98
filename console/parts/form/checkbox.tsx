import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Below, described, type FieldBasics } from './field-frame.tsx';

export interface TickProps extends FieldBasics {
  value: Signal<boolean>;
}

/** A checkbox. */
export const Tick = (props: TickProps): JSX.Element => {
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
          {...described(id, props)}
        />
        <span>{label}</span>
      </label>
      <Below field={props} id={id} />
    </div>
  );
};
