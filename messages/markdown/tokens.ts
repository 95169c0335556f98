import type { Token } from 'markdown-it';
import { clean } from '../characters.ts';
import { mailAddressesIn, type Piece } from './autolinks.ts';
import { DEEPEST, parseMarkdown } from './parser.ts';
import type { Block, Cell, Inline, Item, List } from './tree.ts';

/**
 * Parses GitHub Flavored Markdown. Every line break is a hard line break, because people who type into a form expect
 * this. HTML is treated as text. Parsing takes time proportional to the length of the text, for any input.
 */
export const markdownBlocks = (text: string): Block[] => blocksFrom(new Tokens(parseMarkdown(clean(text))));

/** A reader of the token sequence. */
class Tokens {
  readonly #all: readonly Token[];
  #next = 0;

  constructor(all: readonly Token[]) {
    this.#all = all;
  }

  /** @returns the next token; null at the end */
  next(): Token | null {
    return this.#all[this.#next++] ?? null;
  }
}

/** Reads blocks up to the end of the enclosing block, and consumes the closing token. */
const blocksFrom = (tokens: Tokens): Block[] => {
  const blocks: Block[] = [];
  for (let token = tokens.next(); token && token.nesting >= 0; token = tokens.next()) {
    const block = blockFrom(token, tokens);
    if (block) blocks.push(block);
  }
  return blocks;
};

const blockFrom = (token: Token, tokens: Tokens): Block | null => {
  switch (token.type) {
    case 'paragraph_open':
      return { type: 'paragraph', inlines: lineFrom(tokens) };
    case 'heading_open':
      return { type: 'heading', level: Number(token.tag.slice(1)), inlines: lineFrom(tokens) };
    case 'fence':
    case 'code_block':
      return { type: 'code', text: token.content.replace(/\n$/, '') };
    case 'blockquote_open':
      return { type: 'quote', blocks: blocksFrom(tokens) };
    case 'bullet_list_open':
      return listFrom(tokens, null);
    case 'ordered_list_open':
      return listFrom(tokens, Number(token.attrGet('start') ?? 1));
    case 'table_open':
      return tableFrom(tokens);
    case 'hr':
      return { type: 'rule' };
    default:
      return null;
  }
};

/** Reads the text of a block that contains only text, and consumes the closing token. */
const lineFrom = (tokens: Tokens): Inline[] => {
  const inlines: Inline[] = [];
  for (let token = tokens.next(); token && token.nesting >= 0; token = tokens.next()) {
    inlines.push(...inlinesOf(token.children ?? []));
  }
  return inlines;
};

const listFrom = (tokens: Tokens, start: number | null): List => {
  const items: Item[] = [];
  let loose = false;
  for (let token = tokens.next(); token && token.nesting >= 0; token = tokens.next()) {
    const blocks: Block[] = [];
    for (let inside = tokens.next(); inside && inside.nesting >= 0; inside = tokens.next()) {
      if (inside.type === 'paragraph_open' && !inside.hidden) loose = true;
      const block = blockFrom(inside, tokens);
      if (block) blocks.push(block);
    }
    items.push(itemOf(blocks));
  }
  return { type: 'list', start, loose, items };
};

const BOX = /^\[([ xX])\]\s+(?=\S)/;

/** Returns a list item. It is a task if its text begins with a checkbox. */
const itemOf = (blocks: readonly Block[]): Item => {
  const [first, ...others] = blocks;
  if (first?.type !== 'paragraph') return { done: null, blocks };
  const [text, ...more] = first.inlines;
  const box = text?.type === 'text' ? BOX.exec(text.text) : null;
  if (!box || text?.type !== 'text') return { done: null, blocks };
  const inlines: Inline[] = [{ type: 'text', text: text.text.slice(box[0].length) }, ...more];
  return { done: box[1] !== ' ', blocks: [{ type: 'paragraph', inlines }, ...others] };
};

const tableFrom = (tokens: Tokens): Block => {
  const rows: Cell[][] = [];
  for (let token = tokens.next(); token && token.type !== 'table_close'; token = tokens.next()) {
    if (token.type === 'tr_open') rows.push([]);
    else if (token.type === 'inline') rows.at(-1)?.push(inlinesOf(token.children ?? []));
  }
  const [head = [], ...others] = rows;
  return { type: 'table', head, rows: others };
};

/** An open inline element with its content so far. */
interface Open {
  /** creates the element; null: the element is nested too deeply, so its markup remains text */
  make: ((inlines: readonly Inline[]) => Inline) | null;
  inlines: Inline[];
}

const inlinesOf = (tokens: readonly Token[]): Inline[] => {
  const all: Inline[] = [];
  const open: Open[] = [];
  let depth = 0;
  let inLink = 0;
  const current = (): Inline[] => open.at(-1)?.inlines ?? all;
  for (const token of tokens) {
    if (token.nesting > 0) {
      const isLink = token.type === 'link_open';
      const make = isLink || depth < DEEPEST ? makerOf(token) : null;
      if (make === null) current().push({ type: 'text', text: token.markup });
      if (isLink) inLink += 1;
      depth += 1;
      open.push({ make, inlines: make === null ? current() : [] });
    } else if (token.nesting < 0) {
      const closed = open.pop();
      if (token.type === 'link_close') inLink -= 1;
      depth -= 1;
      if (closed?.make) current().push(closed.make(closed.inlines));
      else current().push({ type: 'text', text: token.markup });
    } else pushLeaf(current(), token, inLink > 0);
  }
  return all;
};

const makerOf = (token: Token): Open['make'] => {
  switch (token.type) {
    case 'em_open':
      return (inlines) => ({ type: 'em', inlines });
    case 'strong_open':
      return (inlines) => ({ type: 'strong', inlines });
    case 's_open':
      return (inlines) => ({ type: 'del', inlines });
    default: {
      const href = String(token.attrGet('href') ?? '');
      return (inlines) => ({ type: 'link', href, inlines });
    }
  }
};

const pushLeaf = (inlines: Inline[], token: Token, inLink: boolean): void => {
  switch (token.type) {
    case 'softbreak':
    case 'hardbreak':
      inlines.push({ type: 'break' });
      break;
    case 'code_inline':
      inlines.push({ type: 'code', text: token.content });
      break;
    case 'image':
      inlines.push(imageOf(token));
      break;
    case 'text':
      if (inLink || !token.content.includes('@')) pushText(inlines, token.content);
      else for (const piece of mailAddressesIn(token.content)) pushPiece(inlines, piece);
      break;
    default:
      pushText(inlines, token.content);
  }
};

const pushPiece = (inlines: Inline[], { text, href }: Piece): void => {
  if (href === null) pushText(inlines, text);
  else inlines.push({ type: 'link', href, inlines: [{ type: 'text', text }] });
};

const pushText = (inlines: Inline[], text: string): void => {
  if (text !== '') inlines.push({ type: 'text', text });
};

const imageOf = (token: Token): Inline => ({
  type: 'image',
  href: String(token.attrGet('src') ?? ''),
  label: plainText(inlinesOf(token.children ?? [])).trim(),
});

/** Returns the text of a line without its markup. */
const plainText = (inlines: readonly Inline[]): string =>
  inlines
    .map((inline) => {
      if (inline.type === 'break') return ' ';
      if (inline.type === 'image') return inline.label;
      return 'inlines' in inline ? plainText(inline.inlines) : inline.text;
    })
    .join('');
