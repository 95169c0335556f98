import type { CssNode, Selector } from 'css-tree';
import { cssTree } from './css-tree.ts';
import { UNSAFE } from './declarations.ts';

/** Selector of the page's element. Custom rules apply only to elements inside it. */
const SCOPE = '.status-page';

const PSEUDO_CLASSES: ReadonlySet<string> = new Set([
  ...['hover', 'focus', 'focus-visible', 'focus-within', 'active', 'link', 'any-link', 'target', 'empty', 'disabled'],
  ...['first-child', 'last-child', 'only-child', 'nth-child', 'nth-last-child', 'first-of-type', 'last-of-type'],
  ...['only-of-type', 'nth-of-type', 'nth-last-of-type', 'not', 'is', 'where', 'lang', 'dir'],
]);
const PSEUDO_ELEMENTS: ReadonlySet<string> = new Set(['before', 'after', 'first-line', 'first-letter', 'marker']);
/** Attributes that selectors are allowed to test. Other attributes may contain texts of users and form values. */
const ATTRIBUTES: ReadonlySet<string> = new Set(['open', 'dir', 'lang', 'aria-current', 'data-theme']);
const PARTS: ReadonlySet<string> = new Set([
  ...['Selector', 'SelectorList', 'TypeSelector', 'ClassSelector', 'IdSelector', 'Combinator', 'AttributeSelector'],
  ...['PseudoClassSelector', 'PseudoElementSelector', 'Nth', 'AnPlusB', 'Identifier', 'String'],
]);
/** Maximum number of parts of a selector, including nested selectors. */
const MOST_PARTS = 40;

/**
 * Scopes a selector so that it matches only inside the page's element. Returns the scoped selector as text, or null if
 * the selector is not allowed.
 */
export const scopedSelector = (selector: Selector): string | null => {
  const parts = selector.children.toArray();
  const rest = withoutRoots(parts);
  if (rest === null || !isAllowed(selector)) return null;
  const text = rest.map((part) => cssTree().generate(part)).join('');
  if (UNSAFE.test(text)) return null;
  return text === '' || /^[\s>]/.test(text) ? SCOPE + text : `${SCOPE} ${text}`;
};

/**
 * Removes leading `html`, `body`, `:root` and the page's own element from a selector, because all of them stand for the
 * page's element here. Returns null if the remaining selector would match siblings of the page's element instead of
 * descendants.
 */
const withoutRoots = (parts: readonly CssNode[]): readonly CssNode[] | null => {
  const [first, next] = parts;
  if (first === undefined) return [];
  if (first.type === 'Combinator') return null;
  if (!isRoot(first)) return parts;
  if (next === undefined) return [];
  // The leading part is followed by further conditions on the same element, as in `body.dark`. Such a selector matches
  // nothing on our pages.
  if (next.type !== 'Combinator' || !/^[\s>]$/.test(next.name)) return null;
  const below = withoutRoots(parts.slice(2));
  return below !== null && below.length === parts.length - 2 ? parts.slice(1) : below;
};

const isRoot = (part: CssNode): boolean =>
  (part.type === 'TypeSelector' && /^(?:html|body)$/i.test(part.name)) ||
  (part.type === 'PseudoClassSelector' && part.name.toLowerCase() === 'root') ||
  (part.type === 'ClassSelector' && part.name === SCOPE.slice(1));

const isAllowed = (selector: Selector): boolean => {
  let count = 0;
  let fine = true;
  cssTree().walk(selector, (node) => {
    fine &&= ++count <= MOST_PARTS && PARTS.has(node.type) && isAllowedPart(node);
  });
  return fine;
};

const isAllowedPart = (part: CssNode): boolean => {
  switch (part.type) {
    case 'PseudoClassSelector':
      return PSEUDO_CLASSES.has(part.name.toLowerCase()) || isRoot(part);
    case 'PseudoElementSelector':
      return PSEUDO_ELEMENTS.has(part.name.toLowerCase());
    case 'AttributeSelector':
      return ATTRIBUTES.has(part.name.name.toLowerCase());
    case 'TypeSelector':
      return !part.name.includes('|');
    default:
      return true;
  }
};
