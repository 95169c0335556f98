import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

export interface SegmentsProps<Value extends string> {
  legend: string;
  /** whether the legend is visible to screen readers only */
  quiet?: boolean;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChoose: (value: Value) => void;
}

/** A field for choosing between a few values that are all visible. */
export const Segments = <Value extends string>(props: SegmentsProps<Value>): JSX.Element => {
  const { legend, quiet = false, value, options, onChoose } = props;
  const name = useId();
  return (
    <fieldset class="choice-segments">
      <legend class={quiet ? 'hidden' : 'label'}>{legend}</legend>
      <div class="segments">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => {
                onChoose(option.value);
              }}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
};
