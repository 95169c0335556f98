/** An amount of the API, `{ value: '4990.00', currency: 'RUB' }`, as people write it. */
export const moneyText = ({ value, currency }: { value: string; currency: string }, locale: string): string => {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(value));
  } catch {
    // A currency that the browser does not know.
    return `${value} ${currency}`;
  }
};
