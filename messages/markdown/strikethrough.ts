import type { StateInline } from 'markdown-it';

const TILDE = 0x7e;
/** Stands for a single tilde among the delimiters: it is no character, and does not close what two have opened. */
const SINGLE = -TILDE;

/** Notes one or two tildes, which may begin or end a deletion (GitHub's Markdown, 6.5); markdown-it knows only two. */
const mark = (state: StateInline, silent: boolean): boolean => {
  if (silent || state.src.charCodeAt(state.pos) !== TILDE) return false;
  const { can_open, can_close, length } = state.scanDelims(state.pos, true);
  state.push('text', '', 0).content = '~'.repeat(length);
  state.pos += length;
  if (length > 2) return true;
  const token = state.tokens.length - 1;
  state.delimiters.push({
    marker: length === 2 ? TILDE : SINGLE,
    // Not counted as those of emphasis are.
    length: 0,
    token,
    end: -1,
    open: can_open,
    close: can_close,
  });
  return true;
};

/** Makes deletions of the tildes that have found each other. */
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
