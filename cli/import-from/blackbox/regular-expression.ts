/** The fixed text of a regular expression. */
export interface FixedText {
  /** the longest text that every match contains */
  text: string;
  /** whether a text matches exactly if it contains `text` */
  exact: boolean;
  /** whether a text matches exactly if it equals `text` */
  whole: boolean;
}

/** Longer expressions are not read: the pattern of tokens takes quadratic time on unclosed classes. */
const MAX_LENGTH = 4_096;

/** An escape, a class or a single character, with its quantifier. */
const TOKEN = /(\\[\s\S]|\[\^?\]?[^\]]*\]|[\s\S])([*+?]\??|\{\d*,?\d*\}\??)?/g;
const CONTROLS: Readonly<Record<string, string>> = { '\\n': '\n', '\\r': '\r', '\\t': '\t' };

/** Returns the character that a token stands for; null if it stands for several. */
const characterOf = (token: string): string | null => {
  if (token === '.' || (token.length > 1 && token.startsWith('['))) return null;
  if (!token.startsWith('\\')) return token;
  return CONTROLS[token] ?? (/^\\[A-Za-z0-9]$/.test(token) ? null : token.slice(1));
};

/**
 * Finds the fixed text of a regular expression, such as `ready` in `.*ready.*`.
 *
 * @returns null if the expression has alternatives, groups or flags, or no fixed text, or is too long
 */
export const fixedTextOf = (expression: string): FixedText | null => {
  if (expression.length > MAX_LENGTH) return null;
  const tokens = Array.from(expression.matchAll(TOKEN), ([, token = '', quantifier = '']) => ({ token, quantifier }));
  const startsAtStart = tokens[0]?.token === '^';
  const endsAtEnd = tokens.at(-1)?.token === '$' && tokens.length > 1;
  const inner = tokens.slice(startsAtStart ? 1 : 0, endsAtEnd ? -1 : undefined);
  if (inner.some(({ token }) => ['(', ')', '|', '^', '$'].includes(token))) return null;
  const isAnything = (index: number): boolean => inner[index]?.token === '.' && inner[index].quantifier.startsWith('*');
  // `.*` at either end of an expression changes nothing.
  const core = inner.slice(isAnything(0) ? 1 : 0, inner.length > 1 && isAnything(inner.length - 1) ? -1 : undefined);
  const pieces = [''];
  for (const { token, quantifier } of core) {
    const character = quantifier === '' ? characterOf(token) : null;
    if (character === null) pieces.push('');
    else pieces.push(`${pieces.pop() ?? ''}${character}`);
  }
  const text = pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '');
  if (text === '') return null;
  const isFixed = pieces.length === 1;
  return {
    text,
    exact: isFixed && !startsAtStart && !endsAtEnd,
    whole: isFixed && startsAtStart && endsAtEnd && core.length === inner.length,
  };
};
