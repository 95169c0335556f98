type Data = Readonly<Record<string, unknown>>;

const isText = ({ text, ...others }: Data): boolean => typeof text === 'string' && Object.keys(others).length === 0;

/** Returns the data of a ping as text. A text is returned unchanged, any other data as indented JSON. */
export const bodyTextOf = (data: Data): string => (isText(data) ? String(data['text']) : JSON.stringify(data, null, 2));

const MOST_LETTERS = 80;

/**
 * Returns the data of a ping in one truncated line: the first line of a text, or any other data as JSON without line
 * breaks.
 */
export const summaryOf = (data: Data): string => {
  const line = isText(data)
    ? (String(data['text'])
        .trimStart()
        .split(/[\r\n]/)[0] ?? '')
    : JSON.stringify(data);
  const letters = Array.from(line);
  return letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS).join('')}…` : line || '…';
};
