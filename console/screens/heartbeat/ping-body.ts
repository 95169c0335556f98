type Data = Readonly<Record<string, unknown>>;

const isText = ({ text, ...others }: Data): boolean => typeof text === 'string' && Object.keys(others).length === 0;

/** What was sent with a ping as text: of a text itself, of anything else its JSON, indented. */
export const bodyTextOf = (data: Data): string => (isText(data) ? String(data['text']) : JSON.stringify(data, null, 2));

const MOST_LETTERS = 80;

/** The same in a line: the first one of a text, JSON without line breaks, both shortened. */
export const summaryOf = (data: Data): string => {
  const line = isText(data)
    ? (String(data['text'])
        .trimStart()
        .split(/[\r\n]/)[0] ?? '')
    : JSON.stringify(data);
  const letters = Array.from(line);
  return letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS).join('')}…` : line || '…';
};
