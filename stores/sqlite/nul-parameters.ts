/**
 * Whether a parameter is a text with a NUL character.
 *
 * @throws RangeError an object of named parameters contains one
 */
export const hasNul = (parameter: unknown): boolean => {
  if (typeof parameter === 'string') return parameter.includes('\0');
  if (typeof parameter !== 'object' || parameter === null || parameter instanceof Uint8Array) return false;
  if (Object.values(parameter).some(hasNul)) throw new RangeError('Named parameters must have no NUL characters.');
  return false;
};

/** Strings, names and comments in SQL, which may contain question marks; and placeholders. */
const TOKENS = /'[^']*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|\?/g;

/** SQL that receives some of its positional parameters as bytes and casts them to text; `+` removes the affinity. */
export const castToText = (sql: string, isBytes: (index: number) => boolean): string => {
  let index = 0;
  return sql.replace(TOKENS, (token) => (token === '?' && isBytes(index++) ? '(+CAST(? AS TEXT))' : token));
};
