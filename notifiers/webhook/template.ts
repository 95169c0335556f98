import { shortenTo } from '../shorten.ts';
import { isJson } from '../json.ts';

/**
 * Templates for bodies and URLs. Placeholders: `{{alert.title}}` is a field of the message, `{{alert.title|130}}` is
 * that field shortened to 130 characters, and `{{alert.severity|high:P2|low:P4}}` replaces the value `high` by `P2` and
 * `low` by `P4`. The text between `{{#fired}}` and `{{/fired}}` appears only in messages about a beginning (as
 * `alert.fired`), and `{{#resolved}}` likewise only in messages about an end. Sections don't nest.
 */

/** A message, and the values that its placeholders can refer to. */
export interface TemplateMessage {
  /** name of the event. The event is an end if it ends with `.resolved` or `.recovered`, otherwise a beginning */
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
// Editors of a channel choose the template, so the matching of these patterns must take linear time.
/** Matches a section that contains no other section. */
const SECTION = /\{\{#(\w+)\}\}((?:(?!\{\{[#/]).)*)\{\{\/\1\}\}/gs;
/** Matches a placeholder. Spaces around its path are ignored. */
const PLACE = /\{\{([^{}#/|]+)((?:\|[^{}|]*)*)\}\}/g;
const LENGTH = /^\d{1,6}$/;
const WORD = /^([^:]+):(.*)$/;

/** Returns the section that appears in a message about the event. */
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

/** Formats a value. null becomes an empty text; objects and lists become JSON. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** The value at a path, and its text. */
interface Found {
  value: unknown;
  text: () => string;
}

/**
 * Creates a function that looks up values by path. A template may contain the path of a large result thousands of
 * times, with different spaces around the path. So each value is formatted only one time.
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

/** Applies the modifiers of a placeholder, which replace or shorten its value. */
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

/**
 * Returns whether the position after a piece of JSON is within a string.
 *
 * @param inside whether the position before the piece is within a string
 */
const endsInString = (piece: string, inside: boolean): boolean => {
  let now = inside;
  for (let at = 0; at < piece.length; at++) {
    if (piece[at] === '"') now = !now;
    else if (now && piece[at] === '\\') at++;
  }
  return now;
};

/** Maximum length of a body, in UTF-16 units. Values that do not fit are omitted, so that the rest still arrives. */
const LONGEST_BODY = 1_048_576;
/** Maximum length of all values in a URL, in UTF-16 units. */
const LONGEST_URL = 16_384;
const LEFT_OUT: Found = { value: null, text: () => '' };

/**
 * Fills a body template. Within quotation marks, a value becomes part of the string; elsewhere it is written as JSON.
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

/** Fills a URL template. Values are escaped, so they can add neither path segments nor parameters. */
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

/** Returns sample messages. A template is valid only if it produces valid output for all sample messages. */
const samples = (): TemplateMessage[] =>
  ['alert.fired', 'alert.resolved'].map((event) => ({
    event,
    values: Object.fromEntries([...ROOTS].map((root) => [root, 'a "b" \\ c'])),
  }));

/** Checks the placeholders of a template. Returns an error message, or null if they are valid. */
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

/** Checks a template for a body. Returns an error message, or null if it is valid. */
export const bodyTemplateProblem = (template: string): string | null => {
  const problem = placeProblem(template);
  if (problem !== null) return problem;
  const broken = samples().find((sample) => !isJson(fillBody(template, sample)));
  return broken ? `Must be JSON once its placeholders are filled; for ${broken.event} it is not.` : null;
};

/** Checks the placeholders of a URL. Returns an error message, or null if they are valid. */
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
