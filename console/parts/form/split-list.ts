/** Returns the items that a text adds to a list: its parts between commas and line breaks, without duplicates. */
export const withAddedItems = (list: readonly string[], text: string): readonly string[] => [
  ...new Set([
    ...list,
    ...text
      .split(/[,\n]/)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ]),
];
