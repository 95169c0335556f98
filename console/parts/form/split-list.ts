/** Adds the items of a text to a list. Items are separated by commas and line breaks. Duplicates are dropped. */
export const withAddedItems = (list: readonly string[], text: string): readonly string[] => [
  ...new Set([
    ...list,
    ...text
      .split(/[,\n]/)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ]),
];
