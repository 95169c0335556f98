/** Matches the strings and the punctuation of JSON. Numbers, literals and white space lie between the matches. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gsu;

/**
 * Parses JSON in which no object has the same name twice. `JSON.parse` uses the last value of a repeated name, while
 * other programs may show the first one.
 *
 * @throws SyntaxError the text is invalid JSON, or an object repeats a name
 */
export const parseUniqueJson = (text: string): unknown => {
  const value: unknown = JSON.parse(text);
  /** the names in each open object, and null for each open array */
  const open: (Set<string> | null)[] = [];
  let string = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') requireNew(JSON.parse(string) as string, open.at(-1) ?? null);
    else if (token !== ',') string = token;
  }
  return value;
};

const requireNew = (name: string, names: Set<string> | null): void => {
  if (names?.has(name)) throw new SyntaxError(`The name ${JSON.stringify(name)} occurs twice in an object.`);
  names?.add(name);
};
