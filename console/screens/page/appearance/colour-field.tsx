import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { describingIds, FieldFrame } from '../../../parts/form/field-frame.tsx';
import { numberFormat } from '../../../parts/number-format.ts';
import { language, words } from '../../../shell/language.ts';
import type { UsedColour } from './colours.ts';

export interface ColourFieldProps {
  label: string;
  name: string;
  value: Signal<string>;
  used: UsedColour;
  problem: string | null;
  disabled: boolean;
}

/** Returns a sentence about the colour that a page uses. */
export const usedText = ({ set, used, contrast }: UsedColour): string => {
  const says = words.value.appearance;
  // Round down, so that a contrast just below a threshold is not shown as having reached the threshold.
  const ratio = `${numberFormat(language.value, { maximumFractionDigits: 1 }).format(Math.floor(contrast * 10) / 10)}:1`;
  if (set === null) return says.standard(used);
  return set === used ? says.used(used, ratio) : says.adjusted(used, ratio);
};

/** A colour swatch. */
export const Swatch = ({ colour }: { colour: string }): JSX.Element => (
  <svg class="colour-swatch" viewBox="0 0 10 10" aria-hidden="true">
    <rect width="10" height="10" fill={colour} />
  </svg>
);

/**
 * A field for a colour. The user types a colour or chooses one with the browser's picker. The field also shows the
 * colour that the page actually uses.
 */
export const ColourField = ({ label, name, value, used, problem, disabled }: ColourFieldProps): JSX.Element => {
  const id = useId();
  const { appearance } = words.value;
  const field = { label, name, problem, hint: usedText(used), disabled };
  return (
    <FieldFrame field={field} id={id}>
      <div class="input colour">
        <input
          type="color"
          aria-label={`${appearance.choose}: ${label}`}
          value={used.set ?? used.used}
          disabled={disabled}
          onInput={({ currentTarget }) => {
            value.value = currentTarget.value;
          }}
        />
        <input
          id={id}
          name={name}
          class="code"
          value={value.value}
          placeholder={used.used}
          maxLength={7}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          disabled={disabled}
          onInput={({ currentTarget }) => {
            value.value = currentTarget.value;
          }}
          {...describingIds(id, field)}
        />
        {used.set !== null && <Swatch colour={used.used} />}
      </div>
    </FieldFrame>
  );
};
