import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Field } from '../../parts/form/field.tsx';
import { FieldFrame, type FieldBasics } from '../../parts/form/field-frame.tsx';
import { words } from '../../shell/language.ts';

export interface SecretFieldProps extends FieldBasics {
  value: Signal<string>;
  /**
   * the mask that the API returns instead of the stored secret; sending the mask back leaves the secret unchanged.
   * Empty: no secret is stored
   */
  stored: string;
}

/** A field for a secret. The user can replace or remove the stored value, but never see it. */
export const SecretField = (props: SecretFieldProps): JSX.Element => {
  const { value, stored, optional = false, label } = props;
  const { alertChannels: says } = words.value;
  const id = useId();
  const set = (text: string) => () => {
    value.value = text;
  };
  if (stored !== '' && value.value === stored) {
    return (
      <FieldFrame field={props} id={id} group>
        <div class="stored-secret">
          <span class="fine">{says.stored}</span>
          <button type="button" class="button" aria-label={`${says.replace}: ${label}`} onClick={set('')}>
            {says.replace}
          </button>
        </div>
      </FieldFrame>
    );
  }
  return (
    <div class="secret">
      <Field
        {...props}
        type="password"
        autocomplete="off"
        code
        {...(stored !== '' && optional && { hint: says.emptyRemoves })}
      />
      {stored !== '' && (
        <button type="button" class="button quiet" onClick={set(stored)}>
          {says.keepStored}
        </button>
      )}
    </div>
  );
};
