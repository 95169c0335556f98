import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { linkable } from '../links.ts';
import { bareAddress, textUpToAddress } from './autolinks.ts';
import { strikethrough } from './strikethrough.ts';

/** Maximum nesting of quotes and lists, and of images in image labels. Deeper markup stays as written. */
export const DEEPEST = 8;

/**
 * Maximum average number of times that a character is scanned for the end of a link label. Real texts need two or
 * three. After the limit is reached, brackets are treated as text.
 */
const SCANS_PER_CHARACTER = 20;

/** Returns the maximum number of table cells in a text. No text written by people needs as many cells. */
const cellsFor = ({ length }: string): number => 1_000 + Math.floor(length / 6);

/** The resources for parsing one text. */
interface ParserBudget {
  /** nesting depth of the current block or image, at most {@link DEEPEST} */
  depth: number;
  /** number of characters that may still be scanned for the ends of labels */
  searches: number;
  /** number of table cells that may still be created, including the empty cells that are added to short rows */
  cells: number;
}

const parserBudgetOf = (env: Env): ParserBudget => env['used'] as ParserBudget;

/**
 * The markdown-it parser. Without limits, the library takes linear time only for emphasis, code, quotes and lists. This
 * configuration limits everything else: the nesting of blocks, the search for the ends of labels, and the cells that
 * are added to table rows. Addresses are not normalised, because the library would convert hosts of any length to
 * Punycode.
 */
const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });
parser.normalizeLink = (address) => address;
parser.normalizeLinkText = (address) => address;
/** A link whose address is not `linkable` stays as written. */
parser.validateLink = (address) => linkable(address) !== null;

/** Gets a library rule by name, to wrap it. */
const ruleOf = <Rule>(ruler: { __rules__: { name: string; fn: Rule }[] }, name: string): Rule => {
  const found = ruler.__rules__.find((rule) => rule.name === name);
  if (!found) throw new Error(`markdown-it has no rule ${name}.`);
  return found.fn;
};

/** Reads a nested construct, within the depth limit. */
const within = (env: Env, read: () => boolean): boolean => {
  const used = parserBudgetOf(env);
  if (used.depth === DEEPEST) return false;
  used.depth += 1;
  try {
    return read();
  } finally {
    used.depth -= 1;
  }
};

/**
 * The rules whose blocks end where a block quote begins (markdown-it: parser_block). The beginning of a list ends only
 * blocks of the first three rules.
 */
const ENDS = ['paragraph', 'reference', 'blockquote', 'list'];

for (const name of ['blockquote', 'list']) {
  const rule = ruleOf(parser.block.ruler, name);
  const alt = name === 'list' ? ENDS.slice(0, 3) : ENDS;
  parser.block.ruler.at(name, (state, ...lines) => within(state.env, () => rule(state, ...lines)), { alt });
}

const table = ruleOf(parser.block.ruler, 'table');
/**
 * Rows may omit cells, so a row of two characters can become a thousand cells. A table that exceeds the limit of cells
 * stays text.
 */
parser.block.ruler.at(
  'table',
  (state, start, end, silent) => {
    const row = start + 1;
    if (row >= end) return false;
    const marks = state.src.slice(state.bMarks[row], state.eMarks[row]).split('|');
    const columns = Math.max(1, marks.filter((mark) => mark.trim() !== '').length);
    const used = parserBudgetOf(state.env);
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
  const used = parserBudgetOf(state.env);
  if (used.searches <= 0) return -1;
  const end = parseLinkLabel(state, start, disableNested);
  used.searches -= (end < 0 ? state.posMax : end) - start;
  return end;
};

parser.inline.ruler.at('text', textUpToAddress);
parser.inline.ruler.at('linkify', bareAddress);
parser.inline.ruler.at('strikethrough', strikethrough.mark);
parser.inline.ruler2.at('strikethrough', strikethrough.join);

/** Parses a text into markdown-it tokens, in time proportional to its length for any input. */
export const parseMarkdown = (text: string): Token[] => {
  const used: ParserBudget = { depth: 0, searches: SCANS_PER_CHARACTER * text.length, cells: cellsFor(text) };
  return parser.parse(text, { used });
};
