/** A text that is no longer than so many UTF-16 units; no character is cut in two. */
export const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`;
