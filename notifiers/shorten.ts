/** Cuts a text to a number of UTF-16 units without splitting a character. Runs in constant time for longer texts. */
export const shortenTo = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const end = Math.max(0, most - 1);
  return `${text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end)}…`;
};

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/**
 * Cuts a text to a size without splitting a character.
 *
 * @param most maximum size, and maximum UTF-16 units: no unit may be smaller than 1
 * @param sizeOf must not decrease for a longer text
 */
export const shortenToSize = (text: string, most: number, sizeOf: (text: string) => number): string => {
  const whole = shortenTo(text, most);
  if (sizeOf(whole) <= most) return whole;
  let [fits, tooLong] = [0, whole.length];
  while (tooLong - fits > 1) {
    const units = Math.floor((fits + tooLong) / 2);
    if (sizeOf(shortenTo(text, units)) <= most) fits = units;
    else tooLong = units;
  }
  return shortenTo(text, fits);
};
