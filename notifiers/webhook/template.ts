import { shortenTo } from '../shorten.ts';
import { isJson } from '../json.ts';

/**
 * Templates for bodies and URLs. Placeholders: `{{alert.title}}` is a field of the message, `{{alert.title|130}}` its
 * first 130 characters, and `{{alert.severity|high:P2|low:P4}}` maps values to other words. The text between
 * `{{#fired}}` and `{{/fired}}` appears only when something begins, the text between `{{#resolved}}` and
 * `{{/resolved}}` only when it ends. Sections don't nest.
 */

/** The values of a message for its placeholders. */
export interface TemplateMessage {
  /** ends in `.fired`, `.down` or `.resolved`, `.recovered` */
  event: string;
  values: Readonly<Record<string, unknown>>;
}

/** First segments of valid placeholder paths: the fields of the documented body, and the texts for people. */
const ROOTS: ReadonlySet<string> = new Set([
  ...['event', 'alert', 'rule', 'check', 'result', 'organization', 'heartbeat'],
  ...['message', 'test'],
]);
const SECTIONS = ['fired', 'resolved'] as const;
type Section = (typeof SECTIONS)[number];

const PATH = /^[a-z_][a-z0-9_]*(\.[a-z0-9_]+){0,9}$/i;
// Editors of a channel choose the text, so matching must take linear time.
/** A section without another section inside. */
const SECTION = /\{\{#(\w+)\}\}((?:(?!\{\{[#/]).)*)\{\{\/\1\}\}/gs;
/** Spaces around the path are ignored. */
const PLACE = /\{\{([^{}#/|]+)((?:\|[^{}|]*)*)\}\}/g;
const LENGTH = /^\d{1,6}$/;
const WORD = /^([^:]+):(.*)$/;

/** The section that a message shows. */
const sectionOf = (event: string): Section => (/\.(resolved|recovered)$/.test(event) ? 'resolved' : 'fired');

const withSections = (template: string, event: string): string =>
  template.replace(SECTION, (_, name: string, inside: string) => (name === sectionOf(event) ? inside : ''));

const valueAt = (values: Readonly<Record<string, unknown>>, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (part, name) =>
        typeof part === 'object' && part !== null && Object.hasOwn(part, name)
          ? (part as Record<string, unknown>)[name]
          : undefined,
      values,
    );

/** Formats a value: empty for null, JSON for objects and lists. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The value at a path. */
interface Found {
  value: unknown;
  text: () => string;
}

/**
 * Looks up values by path. A template may name a whole result thousands of times, with different spaces around its
 * path: each value is formatted once.
 */
const finding = (values: Readonly<Record<string, unknown>>): ((path: string) => Found) => {
  const known = new Map<string, Found>();
  return (place) => {
    const path = place.trim();
    const earlier = known.get(path);
    if (earlier) return earlier;
    const value = valueAt(values, path);
    let text: string | null = null;
    const found = { value, text: () => (text ??= textOf(value)) };
    known.set(path, found);
    return found;
  };
};

/** Applies the modifiers of a placeholder: maps or cuts the value. */
const changed = (found: Found, changes: string): Found =>
  changes
    .split('|')
    .slice(1)
    .reduce<Found>((so, change) => {
      if (LENGTH.test(change)) return asText(shortenTo(so.text(), Number(change)));
      const [, from, to] = WORD.exec(change) ?? [];
      return to !== undefined && found.value === from ? asText(to) : so;
    }, found);

const asText = (text: string): Found => ({ value: text, text: () => text });

const inJsonString = (text: string): string => JSON.stringify(text).slice(1, -1);

const asJson = ({ value, text }: Found): string =>
  typeof value === 'object' && value !== null ? text() : JSON.stringify(value ?? null);

/** Whether the text after a piece of JSON is inside a string, given whether the text before it is. */
const endsInString = (piece: string, inside: boolean): boolean => {
  let now = inside;
  for (let at = 0; at < piece.length; at++) {
    if (piece[at] === '"') now = !now;
    else if (now && piece[at] === '\\') at++;
  }
  return now;
};

/** Maximum length of a body, UTF-16 units. Values that don't fit are left out, so that the rest still arrives. */
const LONGEST_BODY = 1_048_576;
/** Maximum length of a URL, UTF-16 units. */
const LONGEST_URL = 16_384;
const LEFT_OUT: Found = { value: null, text: () => '' };

/**
 * Fills a body template: within quotation marks a value becomes part of the string, elsewhere it is written as JSON.
 */
export const fillBody = (template: string, { event, values }: TemplateMessage): string => {
  const chosen = withSections(template, event);
  const find = finding(values);
  let filled = '';
  let inside = false;
  let from = 0;
  for (const { 0: place, 1: path = '', 2: changes = '', index } of chosen.matchAll(PLACE)) {
    const piece = chosen.slice(from, index);
    inside = endsInString(piece, inside);
    const found = changed(find(path), changes);
    const fitting = filled.length + found.text().length <= LONGEST_BODY ? found : LEFT_OUT;
    filled += piece + (inside ? inJsonString(fitting.text()) : asJson(fitting));
    from = index + place.length;
  }
  return filled + chosen.slice(from);
};

/** Replaces lone surrogates, which neither UTF-8 nor URLs can represent. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

/** Fills a URL template. Values are escaped, so they add neither segments nor parameters. */
export const fillUrl = (template: string, { event, values }: TemplateMessage): string => {
  const find = finding(values);
  let room = LONGEST_URL;
  return withSections(template, event).replace(PLACE, (_, path: string, changes: string) => {
    const text = changed(find(path), changes).text();
    const escaped = text.length > room ? '' : encodeURIComponent(wellFormed(text));
    if (escaped.length > room) return '';
    room -= escaped.length;
    return escaped;
  });
};

/** Sample messages with which a template must produce valid output. */
const samples = (): TemplateMessage[] =>
  ['alert.fired', 'alert.resolved'].map((event) => ({
    event,
    values: Object.fromEntries([...ROOTS].map((root) => [root, 'a "b" \\ c'])),
  }));

/** Checks the placeholders of a template; returns an error message, or null. */
const placeProblem = (template: string): string | null => {
  const bare = template.replace(SECTION, (whole, name: string, inside: string) =>
    (SECTIONS as readonly string[]).includes(name) ? inside : whole,
  );
  if (/\{\{[#/]/.test(bare)) return 'Its sections must be {{#fired}}…{{/fired}} and {{#resolved}}…{{/resolved}}.';
  for (const [, path = '', changes = ''] of bare.matchAll(PLACE)) {
    const wrong = changes
      .split('|')
      .slice(1)
      .find((change) => !LENGTH.test(change) && !WORD.test(change));
    if (wrong !== undefined) return `Must be a number of characters or value:word after |, not "${wrong}".`;
    if (!PATH.test(path.trim())) return `There is no placeholder {{${path}}}.`;
    if (!ROOTS.has(path.trim().split('.')[0] ?? '')) {
      return `There is no placeholder {{${path}}}: it must begin with one of ${[...ROOTS].join(', ')}.`;
    }
  }
  return null;
};

/** Checks a template for a body; returns an error message, or null. */
export const bodyTemplateProblem = (template: string): string | null => {
  const problem = placeProblem(template);
  if (problem !== null) return problem;
  const broken = samples().find((sample) => !isJson(fillBody(template, sample)));
  return broken ? `Must be JSON once its placeholders are filled; for ${broken.event} it is not.` : null;
};

/** Checks the placeholders of a URL; returns an error message, or null. */
export const urlTemplateProblem = (template: string): string | null => {
  if (!template.includes('{{')) return null;
  if (!/^https?:\/\/[^/?#{}]+[/?#]/.test(template) && !/^https?:\/\/[^/?#{}]+\{\{#/.test(template)) {
    return 'Must not have a placeholder before its path.';
  }
  const problem = placeProblem(template);
  if (problem !== null) return problem;
  const urls = samples().map((sample) => fillUrl(template, sample));
  const origins = new Set(urls.map((url) => (URL.canParse(url) ? new URL(url).origin : '')));
  return origins.size === 1 && !origins.has('') ? null : 'Must be a URL of one host once its placeholders are filled.';
};
