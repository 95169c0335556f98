import { numberFormat } from '../../parts/number-format.ts';
import { language, words } from '../../shell/language.ts';

/** Returns the translated unit to show after a number, or undefined if there is none. */
export const unitText = (unit: 'ms' | 'seconds' | 'percent' | 'days' | 'points' | undefined): string | undefined => {
  switch (unit) {
    case 'ms':
      return short('millisecond');
    case 'seconds':
      return short('second');
    case 'percent':
      return '%';
    case 'days':
      return words.value.common.units.day;
    case 'points':
    case undefined:
      return undefined;
  }
};

const short = (unit: string): string | undefined =>
  numberFormat(language.value, { style: 'unit', unit, unitDisplay: 'narrow' })
    .formatToParts(1)
    .find(({ type }) => type === 'unit')?.value;
