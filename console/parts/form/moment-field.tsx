import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { describingIds, FieldFrame, type FieldBasics } from './field-frame.tsx';
import { instantOf, localOf } from './local-time.ts';

export interface MomentFieldProps extends FieldBasics {
  /** an API time (UTC without a designator); null: the field is empty */
  value: Signal<string | null>;
}

/** A field for a time in the browser's time zone, whose name it shows. */
export const MomentField = (props: MomentFieldProps): JSX.Element => {
  const { name, value, optional = false } = props;
  const id = useId();
  return (
    <FieldFrame field={props} id={id}>
      <div class="input">
        <input
          id={id}
          name={name}
          type="datetime-local"
          value={value.value === null ? '' : localOf(value.value)}
          required={!optional}
          disabled={props.disabled ?? false}
          onInput={({ currentTarget }) => {
            value.value = instantOf(currentTarget.value);
          }}
          {...describingIds(id, props)}
        />
        <span class="unit">{Intl.DateTimeFormat().resolvedOptions().timeZone}</span>
      </div>
    </FieldFrame>
  );
};
