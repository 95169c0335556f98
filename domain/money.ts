/**
 * An exact amount of money. In memory and in events it is an integer in the currency's smallest unit; in the API it is
 * a decimal text.
 */
export interface Money {
  /** in the smallest unit, such as cents */
  amount: number;
  /** ISO 4217 */
  currency: string;
}

/** Currencies with a number of decimal digits other than two (ISO 4217, list one). */
const DIGITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((c) => [c, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((c) => [c, 3])),
  CLF: 4,
  UYW: 4,
};

/** The number of decimal digits of a currency. */
export const digitsOf = (currency: string): number => DIGITS[currency] ?? 2;

/** Whether a code is the code of an existing currency. */
export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);

/**
 * Parses an amount such as `4990.00`. It must have all decimal digits of the currency, or none.
 *
 * @returns null if the text is invalid, or if the amount is too large to be exact
 */
export const moneyOf = (value: string, currency: string): Money | null => {
  const digits = digitsOf(currency);
  const [, whole, fraction = ''] = /^(0|[1-9]\d{0,14})(?:\.(\d+))?$/.exec(value) ?? [];
  if (whole === undefined || (fraction !== '' && fraction.length !== digits)) return null;
  const amount = Number(`${whole}${fraction.padEnd(digits, '0')}`);
  return Number.isSafeInteger(amount) ? { amount, currency } : null;
};

/** Formats an amount as a decimal text with all decimal digits of its currency: `4990.00`. */
export const valueOf = ({ amount, currency }: Money): string => {
  const digits = digitsOf(currency);
  if (digits === 0) return amount.toString();
  const text = amount.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
};

/** Returns an amount in the form of the API: `{ value: '4990.00', currency: 'EUR' }`. */
export const shownMoney = (money: Money): { value: string; currency: string } => ({
  value: valueOf(money),
  currency: money.currency,
});

/** Formats an amount for people: `4990.00 EUR`. */
export const moneyText = (money: Money): string => `${valueOf(money)} ${money.currency}`;
