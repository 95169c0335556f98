import type { Atrule, CssNode, Rule } from 'css-tree';
import { cssTree } from './css-tree.ts';
import { LRUCache } from 'lru-cache';
import type { PageFields } from '../../../domain/page/fields.ts';
import { MAX_TEXT } from '../../../domain/page/rules.ts';
import { readColour } from '../../../messages/colours.ts';
import { versioned, type Stylesheet } from '../theme-stylesheet.ts';
import { allowedDeclaration, partsOf, UNSAFE } from './declarations.ts';
import { scopedSelector } from './selectors.ts';

/** Names of the fields of a page that contain custom rules, in the order in which the rules apply. */
const FIELDS = ['css_greens', 'css_blues', 'css_yellows', 'css_oranges', 'css_reds'] as const;
export type CustomisedPage = Pick<PageFields, (typeof FIELDS)[number]>;

/** Path of the stylesheet, below the root of a status page. */
export const CUSTOM_PATH = '/custom.css';

/**
 * Maximum nesting of brackets. Real rules need at most four levels. A parser needs at least one stack frame per level,
 * so unlimited nesting could overflow the stack.
 */
const DEEPEST = 12;
/** Maximum number of tokens in a field. Ten thousand characters of real rules have about 5,000 tokens. */
const MOST_TOKENS = 6_000;
/** Maximum number of selectors in a field. Browsers match every selector against every element, which takes time. */
const MOST_SELECTORS = 500;

/**
 * Returns the custom rules of one field, without everything that is forbidden or can't be parsed
 * (docs/reference/appearance.md#custom-rules). Each selector is scoped to the page's element.
 */
export const customRules = (text: string): string => {
  if (text.length > MAX_TEXT || !isParsable(text)) return '';
  const sheet = parsed(text);
  if (sheet?.type !== 'StyleSheet') return '';
  const budget = { selectors: MOST_SELECTORS };
  return sheet.children
    .toArray()
    .map((node) => written(node, budget, true))
    .join('');
};

/** Parses rules. Returns null if css-tree fails. In that case, the page is shown without the rules. */
const parsed = (text: string): CssNode | null => {
  try {
    return cssTree().parse(text, { parseCustomProperty: false, onParseError: () => undefined });
  } catch {
    return null;
  }
};

/** Returns whether a text stays within the limits of tokens and nesting. */
const isParsable = (text: string): boolean => {
  let tokens = 0;
  let depth = 0;
  let deepest = 0;
  cssTree().tokenize(text, (_, start, end) => {
    tokens++;
    const first = text.charAt(start);
    if ('([{'.includes(first) || text.charAt(end - 1) === '(') deepest = Math.max(deepest, ++depth);
    else if (')]}'.includes(first)) depth--;
  });
  return tokens <= MOST_TOKENS && deepest <= DEEPEST;
};

const written = (node: CssNode, budget: { selectors: number }, outermost: boolean): string => {
  if (node.type === 'Rule') return writtenRule(node, budget);
  return outermost && node.type === 'Atrule' ? writtenMedia(node, budget) : '';
};

const writtenRule = ({ prelude, block }: Rule, budget: { selectors: number }): string => {
  if (prelude.type !== 'SelectorList') return '';
  const declarations = block.children
    .toArray()
    .flatMap((node) => (node.type === 'Declaration' ? (allowedDeclaration(node) ?? []) : []));
  if (declarations.length === 0) return '';
  const selectors = prelude.children
    .toArray()
    .flatMap((node) => (node.type === 'Selector' ? (scopedSelector(node) ?? []) : []));
  const within = selectors.slice(0, budget.selectors);
  budget.selectors -= within.length;
  return within.length === 0 ? '' : `${within.join(',')}{${declarations.join(';')}}\n`;
};

/** Node types that media queries must not contain. */
const UNKNOWN: ReadonlySet<string> = new Set(['Raw', 'Function', 'Url', 'String']);

/**
 * Returns a `@media` rule as text, and an empty text for any other at-rule. All other at-rules load, define or animate
 * something, so they are forbidden.
 */
const writtenMedia = ({ name, prelude, block }: Atrule, budget: { selectors: number }): string => {
  if (name.toLowerCase() !== 'media' || prelude?.type !== 'AtrulePrelude' || block === null) return '';
  const query = cssTree().generate(prelude);
  if (query === '' || partsOf(prelude).some(({ type }) => UNKNOWN.has(type)) || UNSAFE.test(query)) return '';
  const rules = block.children
    .toArray()
    .map((node) => written(node, budget, false))
    .join('');
  return rules === '' ? '' : `@media ${query}{\n${rules}}\n`;
};

const known = new LRUCache<string, Stylesheet>({ maxSize: 4 * 1_048_576, max: 500 });

/** Returns the stylesheet of a page's custom rules, or null if the page has no rules or none of them is allowed. */
export const customStylesheet = (page: CustomisedPage): Stylesheet | null => {
  const texts = FIELDS.flatMap((name) => {
    const text = page[name]?.trim() ?? '';
    return text === '' || readColour(text) !== null ? [] : [text];
  });
  if (texts.length === 0) return null;
  const key = JSON.stringify(texts);
  const found = known.get(key) ?? versioned(texts.map(customRules).join(''));
  known.set(key, found, { size: key.length * 2 + found.css.length + 100 });
  return found.css === '' ? null : found;
};

/**
 * Returns the URL of a page's custom rules, relative to the page's root. Returns null if the page has no allowed rules.
 */
export const customAddress = (page: CustomisedPage): string | null => {
  const found = customStylesheet(page);
  return found && `${CUSTOM_PATH.slice(1)}?v=${found.version}`;
};
