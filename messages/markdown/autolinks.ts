import type { StateInline } from 'markdown-it';
import { linkable, LONGEST_LINK } from '../links.ts';

type InlineRule = (state: StateInline, silent: boolean) => boolean;

/**
 * Matches the end of ordinary text, which is a special character or the beginning of an address (GitHub Flavored
 * Markdown, 6.9).
 */
const SPECIAL = /[\n!#$%&*+\-:<=>@[\\\]^_`{}~]|\b(?:https?:\/\/|www\.)/gi;

/**
 * Reads ordinary text up to the next address. This rule replaces the text rule of markdown-it, which would read past
 * the beginning of an address.
 */
export const textUpToAddress: InlineRule = (state, silent) => {
  SPECIAL.lastIndex = state.pos;
  const end = Math.min(SPECIAL.exec(state.src)?.index ?? state.posMax, state.posMax);
  if (end === state.pos) return false;
  if (!silent) state.pending += state.src.slice(state.pos, end);
  state.pos = end;
  return true;
};

const BEGINNING = /(?:https?:\/\/|www\.)[\p{L}\p{N}]/iuy;
const END = /[\s<]/g;
const LETTER = /[\p{L}\p{N}_]/u;

/**
 * Turns bare addresses into links. A bare address begins with `http://`, `https://` or `www.` and ends before a blank.
 * Punctuation of the surrounding sentence does not belong to the address. An address that must not be linked stays
 * text, and markup inside the address is not rendered.
 */
export const bareAddress: InlineRule = (state, silent) => {
  if (silent || state.linkLevel > 0) return false;
  const { src, pos, posMax } = state;
  BEGINNING.lastIndex = pos;
  if ((pos > 0 && LETTER.test(src.charAt(pos - 1))) || !BEGINNING.test(src)) return false;
  const most = Math.min(posMax, pos + LONGEST_LINK + 1);
  END.lastIndex = pos;
  const blank = Math.min(END.exec(src.slice(0, most))?.index ?? most, most);
  const text = withoutPunctuation(src.slice(pos, blank));
  const address = text.replaceAll('&amp;', '&');
  const href = /^www/i.test(address) ? `http://${address}` : address;
  state.pos = pos + text.length;
  if (linkable(href) === null) {
    state.push('plain', '', 0).content = text;
    return true;
  }
  state.push('link_open', 'a', 1).attrs = [['href', href]];
  state.push('text', '', 0).content = address;
  state.push('link_close', 'a', -1);
  return true;
};

/** Removes trailing punctuation, unmatched closing brackets and a trailing entity from an address. */
const withoutPunctuation = (text: string): string => {
  let end = text.length;
  let open = 0;
  for (const character of text) open += character === '(' ? 1 : character === ')' ? -1 : 0;
  for (;;) {
    const last = text.charAt(end - 1);
    if (last === ')' && open < 0) open += 1;
    else if (last === ';') {
      const entity = /&[a-z\d]{1,31};$/i.exec(text.slice(Math.max(0, end - 33), end));
      if (entity) end -= entity[0].length - 1;
    } else if (!'?!.,:*_~\'">'.includes(last)) return text.slice(0, end);
    end -= 1;
  }
};

/** Match the local part of an e-mail address before its `@`, and the domain after the `@`. */
const LOCAL = /[a-z\d._+-]+$/i;
const DOMAIN = /[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63}){1,10}(?![\w-])/iy;
const LONGEST_LOCAL = 64;
const MAILTO = 'mailto:';

/** A piece of text. If it is an e-mail address, it has a link. */
export interface Piece {
  text: string;
  href: string | null;
}

/** Splits a text into e-mail addresses and the text between them (GitHub Flavored Markdown, 6.9). */
export const mailAddressesIn = (text: string): Piece[] => {
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const before = text.slice(Math.max(from, at - LONGEST_LOCAL - MAILTO.length - 1), at);
    const local = LOCAL.exec(before)?.[0] ?? '';
    DOMAIN.lastIndex = at + 1;
    const domain = DOMAIN.exec(text)?.[0] ?? '';
    if (local === '' || local.length > LONGEST_LOCAL || domain === '' || /[-_]$/.test(domain)) continue;
    const href = `mailto:${local}@${domain}`;
    if (linkable(href) === null) continue;
    const named = before.slice(0, -local.length).toLowerCase().endsWith(MAILTO);
    const begin = at - local.length - (named ? MAILTO.length : 0);
    if (begin > from) pieces.push({ text: text.slice(from, begin), href: null });
    from = at + 1 + domain.length;
    pieces.push({ text: text.slice(begin, from), href });
  }
  if (from < text.length) pieces.push({ text: text.slice(from), href: null });
  return pieces;
};
