import { cutTo } from '../cut.ts';
import { isJson } from '../json.ts';

/**
 * Bodies and URLs with places: `{{alert.title}}` stands for a field of the message, `{{alert.title|130}}` for its first
 * 130 characters, `{{alert.severity|high:P2|low:P4}}` for another word, if its value is one of those; what is between
 * `{{#fired}}` and `{{/fired}}` is there only in messages that say that something began, between `{{#resolved}}` and
 * `{{/resolved}}` only in those that say that it is over. Sections don't nest.
 */

/** What a message consists of, for its places. */
export interface Filling {
  /** ends in `.fired`, `.down` or `.resolved`, `.recovered` */
  event: string;
  values: Readonly<Record<string, unknown>>;
}

/** What a place may begin with: the fields of the documented body, and the words for people. */
const ROOTS: ReadonlySet<string> = new Set([
  ...['event', 'alert', 'rule', 'check', 'result', 'organization', 'heartbeat'],
  ...['message', 'test'],
]);
const SECTIONS = ['fired', 'resolved'] as const;
type Section = (typeof SECTIONS)[number];

const PATH = /^[a-z_][a-z0-9_]*(\.[a-z0-9_]+){0,9}$/i;
// Whoever may edit a channel chooses the text, so each character of it is read once.
/** A section, in which no other one begins or ends. */
const SECTION = /\{\{#(\w+)\}\}((?:(?!\{\{[#/]).)*)\{\{\/\1\}\}/gs;
/** Blanks around the path count for nothing. */
const PLACE = /\{\{([^{}#/|]+)((?:\|[^{}|]*)*)\}\}/g;
const LENGTH = /^\d{1,6}$/;
const WORD = /^([^:]+):(.*)$/;

/** Which sections a message has. */
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

/** A value as text: nothing for null, JSON for what has parts. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** What stands at a path. */
interface Found {
  value: unknown;
  text: () => string;
}

/**
 * Finds values by their paths. A template may name a whole result thousands of times, each time with other blanks
 * around its path: each is written once.
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

/** A value as a place asks for it: another word, or cut. */
const changed = (found: Found, changes: string): Found =>
  changes
    .split('|')
    .slice(1)
    .reduce<Found>((so, change) => {
      if (LENGTH.test(change)) return asText(cutTo(so.text(), Number(change)));
      const [, from, to] = WORD.exec(change) ?? [];
      return to !== undefined && found.value === from ? asText(to) : so;
    }, found);

const asText = (text: string): Found => ({ value: text, text: () => text });

const inJsonString = (text: string): string => JSON.stringify(text).slice(1, -1);

const asJson = ({ value, text }: Found): string =>
  typeof value === 'object' && value !== null ? text() : JSON.stringify(value ?? null);

/** Whether what follows a piece of JSON is inside of a string, if what precedes the piece was or was not. */
const endsInString = (piece: string, inside: boolean): boolean => {
  let now = inside;
  for (let at = 0; at < piece.length; at++) {
    if (piece[at] === '"') now = !now;
    else if (now && piece[at] === '\\') at++;
  }
  return now;
};

/** UTF-16 units of a body; values that it has no room for are left out, so that what is left still arrives. */
const LONGEST_BODY = 1_048_576;
/** The same of a URL. */
const LONGEST_URL = 16_384;
const LEFT_OUT: Found = { value: null, text: () => '' };

/** A body: inside of quotation marks a value is part of the string, elsewhere it is written as JSON. */
export const filledBody = (template: string, { event, values }: Filling): string => {
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

/** UTF-8 has no halves of characters, which no URL can have either. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

/** A URL: values are escaped, so that they add neither segments nor parameters. */
export const filledUrl = (template: string, { event, values }: Filling): string => {
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

/** Samples for which a template must become what it is to be. */
const samples = (): Filling[] =>
  ['alert.fired', 'alert.resolved'].map((event) => ({
    event,
    values: Object.fromEntries([...ROOTS].map((root) => [root, 'a "b" \\ c'])),
  }));

/** What is wrong with the places of a template; null: nothing. */
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
    if (!PATH.test(path.trim())) return `There is no place {{${path}}}.`;
    if (!ROOTS.has(path.trim().split('.')[0] ?? '')) {
      return `There is no place {{${path}}}: it must begin with one of ${[...ROOTS].join(', ')}.`;
    }
  }
  return null;
};

/** What is wrong with a template for a body; null: nothing. */
export const bodyProblem = (template: string): string | null => {
  const problem = placeProblem(template);
  if (problem !== null) return problem;
  const broken = samples().find((sample) => !isJson(filledBody(template, sample)));
  return broken ? `Must be JSON once its places are filled, for ${broken.event} it is not.` : null;
};

/** What is wrong with the places of a URL; null: nothing. */
export const urlPlaceProblem = (template: string): string | null => {
  if (!template.includes('{{')) return null;
  if (!/^https?:\/\/[^/?#{}]+[/?#]/.test(template) && !/^https?:\/\/[^/?#{}]+\{\{#/.test(template)) {
    return 'Must not have a place before its path.';
  }
  const problem = placeProblem(template);
  if (problem !== null) return problem;
  const urls = samples().map((sample) => filledUrl(template, sample));
  const origins = new Set(urls.map((url) => (URL.canParse(url) ? new URL(url).origin : '')));
  return origins.size === 1 && !origins.has('') ? null : 'Must be a URL of one host once its places are filled.';
};
