import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { FieldFrame, type FieldBasics } from '../../parts/form/field-frame.tsx';

export interface CheckboxesProps extends FieldBasics {
  /** the chosen values */
  value: Signal<readonly string[]>;
  options: readonly { value: string; label: string; note?: string }[];
}

/** A field for choosing any number of options, shown as checkboxes. */
export const Checkboxes = (props: CheckboxesProps): JSX.Element => {
  const { name, value, options } = props;
  const id = useId();
  return (
    <FieldFrame field={props} id={id} group>
      <div class="ticks">
        {options.map((option) => (
          <label key={option.value} class="tick">
            <input
              type="checkbox"
              name={name}
              value={option.value}
              checked={value.value.includes(option.value)}
              aria-invalid={props.problem !== null && props.problem !== undefined}
              onChange={({ currentTarget }) => {
                value.value = currentTarget.checked
                  ? [...value.value, option.value]
                  : value.value.filter((one) => one !== option.value);
              }}
            />
            <span>
              <bdi>{option.label}</bdi>
              {option.note !== undefined && <span class="fine"> {option.note}</span>}
            </span>
          </label>
        ))}
      </div>
    </FieldFrame>
  );
};
