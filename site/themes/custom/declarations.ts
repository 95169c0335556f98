import type { CssNode, Declaration } from 'css-tree';
import { cssTree } from './css-tree.ts';

const SIDES = ['top', 'right', 'bottom', 'left', 'block', 'inline', 'block-start', 'block-end'];
const LOGICAL = ['inline-start', 'inline-end'];
const each = (name: string, parts: readonly string[], end = ''): string[] =>
  parts.map((part) => `${name}-${part}${end}`);
const ALL_SIDES = [...SIDES, ...LOGICAL];

/**
 * Properties that custom rules are allowed to set: fonts, colours, borders, spacing, sizes and alignment. The list does
 * not contain properties that can move an element, overlay other elements, fade, animate or load anything. It does not
 * contain properties of outlines either, because outlines show the keyboard focus.
 */
const PROPERTIES: ReadonlySet<string> = new Set([
  ...['color', 'background', 'background-color', 'accent-color', 'caret-color', 'text-decoration-color'],
  ...['font', 'font-family', 'font-size', 'font-style', 'font-weight', 'font-stretch', 'font-variant', 'font-kerning'],
  ...['font-variant-numeric', 'font-variant-caps', 'font-variant-ligatures', 'font-feature-settings'],
  ...['line-height', 'letter-spacing', 'word-spacing', 'text-align', 'text-align-last', 'text-decoration'],
  ...['text-decoration-line', 'text-decoration-style', 'text-decoration-thickness', 'text-underline-offset'],
  ...['text-transform', 'text-indent', 'text-wrap', 'white-space', 'word-break', 'overflow-wrap', 'hyphens'],
  ...['border', 'border-color', 'border-style', 'border-width', 'border-radius', 'border-collapse', 'border-spacing'],
  ...each('border', ALL_SIDES),
  ...['color', 'style', 'width'].flatMap((end) => each('border', ALL_SIDES, `-${end}`)),
  ...['top-left', 'top-right', 'bottom-left', 'bottom-right'].map((corner) => `border-${corner}-radius`),
  ...['start-start', 'start-end', 'end-start', 'end-end'].map((corner) => `border-${corner}-radius`),
  ...['padding', ...each('padding', ALL_SIDES), 'margin', ...each('margin', ALL_SIDES)],
  ...['gap', 'row-gap', 'column-gap', 'box-shadow', 'box-sizing', 'aspect-ratio', 'object-fit', 'object-position'],
  ...['width', 'height', 'min-width', 'min-height', 'max-width', 'max-height', 'inline-size', 'block-size'],
  ...['min-inline-size', 'min-block-size', 'max-inline-size', 'max-block-size'],
  ...['display', 'flex', 'flex-basis', 'flex-direction', 'flex-grow', 'flex-shrink', 'flex-wrap', 'vertical-align'],
  ...['grid-template-columns', 'grid-template-rows', 'grid-auto-flow', 'grid-auto-columns', 'grid-auto-rows'],
  ...['align-content', 'align-items', 'align-self', 'justify-content', 'justify-items', 'justify-self'],
  ...['place-content', 'place-items', 'place-self', 'list-style-type', 'list-style-position'],
]);

const COLOUR_FUNCTIONS = ['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch', 'color-mix'];
const FUNCTIONS: ReadonlySet<string> = new Set([
  ...COLOUR_FUNCTIONS,
  ...['calc', 'min', 'max', 'clamp', 'minmax', 'repeat', 'fit-content', 'var'],
]);
/** Node types that a value is allowed to contain. URLs, and anything that css-tree could not parse, are not allowed. */
const PARTS: ReadonlySet<string> = new Set([
  ...['Value', 'Identifier', 'Number', 'Percentage', 'Dimension', 'Hash', 'Operator', 'Function', 'Parentheses'],
  ...['String', 'Brackets'],
]);
/** Matches the properties whose values may contain strings, such as the names of fonts. */
const TEXTS = /^font(?:-family|-feature-settings)?$/;
/**
 * Matches properties that can move an element over another element if their values are negative lengths. Their values
 * must not contain functions such as `calc`, whose result could be negative.
 */
const PUSHING = /^(?:margin|text-indent|letter-spacing|word-spacing|gap|row-gap|column-gap|box-shadow)/;
/** Maximum size of a shadow, in pixels. A larger shadow would cover neighbouring elements. */
const WIDEST_SHADOW = 48;

/** Returns a declaration as text, without `!important`, or null if it is not allowed. */
export const allowedDeclaration = ({ property, value }: Declaration): string | null => {
  const name = property.toLowerCase();
  if (!PROPERTIES.has(name) || value.type !== 'Value') return null;
  const parts = partsOf(value);
  if (!parts.every((part) => isAllowedIn(name, part))) return null;
  if (name === 'background' && !isOneColour(value.children.toArray())) return null;
  const text = cssTree().generate(value);
  return text === '' || UNSAFE.test(text) ? null : `${name}:${text}`;
};

/** Matches escapes, control characters and delimiters, which css-tree and a browser could interpret differently. */
export const UNSAFE = /[\\<\u0000-\u001f\u007f@{};]/;

/** Returns a node and its descendants. */
export const partsOf = (value: CssNode): CssNode[] => {
  const parts: CssNode[] = [];
  cssTree().walk(value, (node) => {
    parts.push(node);
  });
  return parts;
};

const isAllowedIn = (property: string, part: CssNode): boolean => {
  if (!PARTS.has(part.type)) return false;
  switch (part.type) {
    case 'Function':
      return FUNCTIONS.has(part.name.toLowerCase()) && !(PUSHING.test(property) && isComputed(part.name));
    case 'String':
      return TEXTS.test(property);
    case 'Number':
    case 'Percentage':
      return !part.value.startsWith('-');
    case 'Dimension':
      return !part.value.startsWith('-') && (property !== 'box-shadow' || isNear(part.value, part.unit));
    default:
      return true;
  }
};

const isComputed = (name: string): boolean => !COLOUR_FUNCTIONS.includes(name.toLowerCase()) && name !== 'var';

/**
 * Returns whether a length of a shadow is within the limit. Only pixels are allowed, because other units scale with
 * fonts and screens.
 */
const isNear = (value: string, unit: string): boolean => unit.toLowerCase() === 'px' && Number(value) <= WIDEST_SHADOW;

/**
 * Returns whether a value consists of one colour. `background` must not set anything else, because its other components
 * are images and their positions.
 */
const isOneColour = (parts: readonly CssNode[]): boolean => {
  const [part, ...others] = parts;
  if (part === undefined || others.length > 0) return false;
  return part.type === 'Identifier' || part.type === 'Hash' || part.type === 'Function';
};
