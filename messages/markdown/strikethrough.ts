import type { StateInline } from 'markdown-it';

const TILDE = 0x7e;
/**
 * Marker of a single tilde in the list of delimiters. It differs from the marker of a double tilde, so that neither
 * closes the other.
 */
const SINGLE = -TILDE;

/**
 * Records one or two tildes as a possible delimiter of deleted text (GitHub Flavored Markdown, 6.5). markdown-it itself
 * supports only two tildes.
 */
const mark = (state: StateInline, silent: boolean): boolean => {
  if (silent || state.src.charCodeAt(state.pos) !== TILDE) return false;
  const { can_open, can_close, length } = state.scanDelims(state.pos, true);
  state.push('text', '', 0).content = '~'.repeat(length);
  state.pos += length;
  if (length > 2) return true;
  const token = state.tokens.length - 1;
  state.delimiters.push({
    marker: length === 2 ? TILDE : SINGLE,
    // A length of 0 disables markdown-it's "rule of three", which applies only to emphasis.
    length: 0,
    token,
    end: -1,
    open: can_open,
    close: can_close,
  });
  return true;
};

/** Converts matching delimiters to the tokens that begin and end deleted text. */
const join = (state: StateInline): void => {
  const all = [state.delimiters, ...state.tokens_meta.flatMap((meta) => (meta?.delimiters ? [meta.delimiters] : []))];
  for (const delimiters of all) {
    for (const { marker, token: opening, end } of delimiters) {
      const closing = end < 0 ? undefined : delimiters[end]?.token;
      if ((marker !== TILDE && marker !== SINGLE) || closing === undefined) continue;
      for (const [index, type, nesting] of [
        [opening, 's_open', 1],
        [closing, 's_close', -1],
      ] as const) {
        const token = state.tokens[index];
        if (token) Object.assign(token, { type, tag: 's', nesting, markup: token.content, content: '' });
      }
    }
  }
};

export const strikethrough = { mark, join };
