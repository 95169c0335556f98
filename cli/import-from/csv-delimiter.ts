const DELIMITERS = [',', ';', '\t'] as const;

/** Returns the character that separates the columns of a CSV file: the most frequent candidate of its first line. */
export const delimiterOf = (text: string): string => {
  const line = /[^\s\ufeff].*/.exec(text)?.[0] ?? '';
  const titles = line.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => titles.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
};
