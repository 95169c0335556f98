import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { describingIds, FieldFrame, type FieldBasics } from './field-frame.tsx';

export interface NumberFieldProps extends FieldBasics {
  /** null: the field is empty */
  value: Signal<number | null>;
  min?: number;
  max?: number;
  /** `any` allows fractions; default: 1 */
  step?: number | 'any';
  /** shown after the number: `ms` */
  unit?: string;
}

const textOf = (value: number | null): string => value?.toString() ?? '';

export const NumberField = (props: NumberFieldProps): JSX.Element => {
  const { name, value, min, max, step = 1, unit, optional = false } = props;
  const id = useId();
  const typed = useSignal(textOf(value.value));
  // Do not replace the typed text ("1.", "0.50") as long as it represents the same number.
  if (Number(typed.value || Number.NaN) !== value.value && !(typed.value === '' && value.value === null)) {
    typed.value = textOf(value.value);
  }
  return (
    <FieldFrame field={props} id={id}>
      <div class="input number">
        <input
          id={id}
          name={name}
          type="number"
          inputMode={step === 1 ? 'numeric' : 'decimal'}
          value={typed.value}
          min={min}
          max={max}
          step={step}
          required={!optional}
          disabled={props.disabled ?? false}
          onInput={({ currentTarget }) => {
            const number = currentTarget.valueAsNumber;
            typed.value = currentTarget.value;
            value.value = Number.isFinite(number) ? number : null;
          }}
          {...describingIds(id, props)}
        />
        {unit !== undefined && <span class="unit">{unit}</span>}
      </div>
    </FieldFrame>
  );
};
