import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { linkable } from '../links.ts';
import { bareAddress, textUpToAddress } from './addresses.ts';
import { strikethrough } from './strikethrough.ts';

/** Quotes and lists inside one another, and images in labels of images; what lies deeper stays as it was written. */
export const DEEPEST = 8;

/**
 * How often a character of a text may be looked at in search of the end of a label, on average. Real texts need two or
 * three; where that is used up, brackets stay brackets.
 */
const LOOKS = 20;

/** Cells that the tables of a text may have together: more than tables have that people write. */
const cellsFor = ({ length }: string): number => 1_000 + Math.floor(length / 6);

/** What may still be spent on one text. */
interface Used {
  /** how deep the present block or image lies */
  depth: number;
  /** characters that are searched for the ends of labels */
  searches: number;
  /** cells of tables, with those that their rows leave out */
  cells: number;
}

const usedOf = (env: Env): Used => env['used'] as Used;

/**
 * The parser of markdown-it, which takes linear time for emphasis, code, quotes and lists, without what would take
 * more: it bounds how deep blocks lie, how far it looks for the ends of labels, and how many cells it adds to rows of
 * tables. Addresses are taken as they are written, since the library would convert hosts of any length to Punycode.
 */
const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });
parser.normalizeLink = (address) => address;
parser.normalizeLinkText = (address) => address;
/** Links to anything else stay as they were written. */
parser.validateLink = (address) => linkable(address) !== null;

/** A rule of the library by its name, to put another one around it. */
const ruleOf = <Rule>(ruler: { __rules__: { name: string; fn: Rule }[] }, name: string): Rule => {
  const found = ruler.__rules__.find((rule) => rule.name === name);
  if (!found) throw new Error(`markdown-it has no rule ${name}.`);
  return found.fn;
};

/** Reads something that others of its kind lie in. */
const within = (env: Env, read: () => boolean): boolean => {
  const used = usedOf(env);
  if (used.depth === DEEPEST) return false;
  used.depth += 1;
  try {
    return read();
  } finally {
    used.depth -= 1;
  }
};

/** The rules that each block rule also ends (markdown-it: parser_block). */
const ENDS = ['paragraph', 'reference', 'blockquote', 'list'];

for (const name of ['blockquote', 'list']) {
  const rule = ruleOf(parser.block.ruler, name);
  const alt = name === 'list' ? ENDS.slice(0, 3) : ENDS;
  parser.block.ruler.at(name, (state, ...lines) => within(state.env, () => rule(state, ...lines)), { alt });
}

const table = ruleOf(parser.block.ruler, 'table');
/** Rows may leave out cells, so a line of two characters can be a thousand cells: what has no room stays text. */
parser.block.ruler.at(
  'table',
  (state, start, end, silent) => {
    const row = start + 1;
    if (row >= end) return false;
    const marks = state.src.slice(state.bMarks[row], state.eMarks[row]).split('|');
    const columns = Math.max(1, marks.filter((mark) => mark.trim() !== '').length);
    const used = usedOf(state.env);
    const rows = Math.floor(used.cells / columns);
    if (rows < 1 || !table(state, start, Math.min(end, start + 1 + rows), silent)) return false;
    if (!silent) used.cells -= columns * (state.line - start - 1);
    return true;
  },
  { alt: ['paragraph', 'reference'] },
);

const image = ruleOf(parser.inline.ruler, 'image');
parser.inline.ruler.at('image', (state, silent) => within(state.env, () => image(state, silent)));

const { parseLinkLabel } = parser.helpers;
parser.helpers.parseLinkLabel = (state, start, disableNested) => {
  const used = usedOf(state.env);
  if (used.searches <= 0) return -1;
  const end = parseLinkLabel(state, start, disableNested);
  used.searches -= (end < 0 ? state.posMax : end) - start;
  return end;
};

parser.inline.ruler.at('text', textUpToAddress);
parser.inline.ruler.at('linkify', bareAddress);
parser.inline.ruler.at('strikethrough', strikethrough.mark);
parser.inline.ruler2.at('strikethrough', strikethrough.join);

/** Tokens of a text, as markdown-it makes them. The time that takes is proportional to the length, whatever the text. */
export const parsed = (text: string): Token[] => {
  const used: Used = { depth: 0, searches: LOOKS * text.length, cells: cellsFor(text) };
  return parser.parse(text, { used });
};
