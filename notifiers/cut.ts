/** A text that is no longer than so many UTF-16 units; no character is cut in two. Takes no longer for a longer text. */
export const cutTo = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const end = Math.max(0, most - 1);
  return `${text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end)}…`;
};

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
