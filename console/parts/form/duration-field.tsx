import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { words } from '../../shell/language.ts';
import { DURATION_UNITS, secondsIn, unitOf, type DurationUnit } from './duration.ts';
import { describingIds, FieldFrame, type FieldBasics } from './field-frame.tsx';

export interface DurationFieldProps extends FieldBasics {
  /** seconds; null: the field is empty */
  value: Signal<number | null>;
}

/** A field for a duration: a number and a unit. */
export const DurationField = (props: DurationFieldProps): JSX.Element => {
  const { label, name, value, optional = false } = props;
  const id = useId();
  const unit = useSignal<DurationUnit>(unitOf(value.value ?? 60));
  const { units, unit: unitWord } = words.value.common;
  // Other code may set the value. If the value is not a multiple of the current unit, another unit is chosen.
  if (value.value !== null && value.value % secondsIn(unit.value) !== 0) unit.value = unitOf(value.value);
  const size = secondsIn(unit.value);
  return (
    <FieldFrame field={props} id={id}>
      <div class="input duration">
        <input
          id={id}
          name={name}
          type="number"
          inputMode="numeric"
          min={0}
          step={1}
          value={value.value === null ? '' : value.value / size}
          required={!optional}
          disabled={props.disabled ?? false}
          onInput={({ currentTarget }) => {
            const number = currentTarget.valueAsNumber;
            value.value = Number.isFinite(number) ? Math.round(number) * size : null;
          }}
          {...describingIds(id, props)}
        />
        <select
          aria-label={`${label}: ${unitWord}`}
          disabled={props.disabled ?? false}
          value={unit.value}
          onChange={({ currentTarget }) => {
            const next = currentTarget.value as DurationUnit;
            if (value.value !== null) value.value = (value.value / size) * secondsIn(next);
            unit.value = next;
          }}
        >
          {DURATION_UNITS.map(([one]) => (
            <option key={one} value={one} selected={one === unit.value}>
              {units[one]}
            </option>
          ))}
        </select>
      </div>
    </FieldFrame>
  );
};
