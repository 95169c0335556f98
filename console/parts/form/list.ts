/** What a text adds to a list: its parts between commas and lines, without those that the list has. */
export const addedTo = (list: readonly string[], text: string): readonly string[] => [
  ...new Set([
    ...list,
    ...text
      .split(/[,\n]/)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ]),
];
