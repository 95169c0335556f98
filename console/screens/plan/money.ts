/** Returns an amount from the API, such as `{ value: '4990.00', currency: 'RUB' }`, as readable text. */
export const moneyText = ({ value, currency }: { value: string; currency: string }, locale: string): string => {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(value));
  } catch {
    // The browser does not know the currency.
    return `${value} ${currency}`;
  }
};
