/** What was sent with a ping as text: of a text itself, of anything else its JSON, indented. */
export const bodyTextOf = (data: Readonly<Record<string, unknown>>): string => {
  const { text, ...others } = data;
  return typeof text === 'string' && Object.keys(others).length === 0 ? text : JSON.stringify(data, null, 2);
};

/** Its first line, shortened. */
export const firstLineOf = (text: string, length = 80): string => {
  const line = text.trimStart().split(/[\r\n]/)[0] ?? '';
  const letters = Array.from(line);
  return letters.length > length ? `${letters.slice(0, length).join('')}…` : line;
};
