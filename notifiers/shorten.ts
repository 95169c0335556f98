/**
 * Shortens a text to at most `most` UTF-16 units, without splitting a character. The duration does not depend on the
 * length of `text`.
 */
export const shortenTo = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const end = Math.max(0, most - 1);
  return `${text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end)}…`;
};

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/**
 * Shortens a text to a maximum size, without splitting a character.
 *
 * @param most maximum size; also the maximum number of UTF-16 units, so no unit may have a size below 1
 * @param sizeOf returns the size of a text; a longer text must not be smaller
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
