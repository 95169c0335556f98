/**
 * Returns whether a parameter is a text with a NUL character.
 *
 * @throws RangeError the parameter is an object of named parameters that contains such a text
 */
export const hasNul = (parameter: unknown): boolean => {
  if (typeof parameter === 'string') return parameter.includes('\0');
  if (typeof parameter !== 'object' || parameter === null || parameter instanceof Uint8Array) return false;
  if (Object.values(parameter).some(hasNul)) throw new RangeError('Named parameters must have no NUL characters.');
  return false;
};

/**
 * Matches the placeholders in SQL. Also matches strings, names and comments, because question marks in these are not
 * placeholders.
 */
const TOKENS = /'[^']*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|\?/g;

/**
 * Changes SQL so that it receives some of its positional parameters as bytes, and casts the bytes to text. The unary
 * `+` removes the column affinity that a cast would have.
 */
export const castToText = (sql: string, isBytes: (index: number) => boolean): string => {
  let index = 0;
  return sql.replace(TOKENS, (token) => (token === '?' && isBytes(index++) ? '(+CAST(? AS TEXT))' : token));
};
