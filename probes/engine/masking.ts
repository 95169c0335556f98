import { MASKED_TEXT } from '../../domain/masking.ts';
import { bytesOf, secretFormsOf, SHORTEST_FORM, type EncodedSecret } from './secret-forms.ts';

/** Replaces every secret in a text by {@link MASKED_TEXT}. */
export type Mask = (text: string) => string;

/**
 * Creates a mask for secrets. The mask finds a secret literally, and in the forms in which servers and scripts repeat
 * their input, such as URL-encoded, base64 or escaped for JSON (secret-forms.ts). It ignores secrets of fewer than four
 * characters, which would match unrelated text. Mask a text before you shorten it: half a secret is not recognised.
 */
export const createMask = (secrets: Iterable<string>): Mask => {
  // Forms of long secrets take much memory. So a secret is indexed only when a text must be masked that is long enough
  // to contain the secret.
  const waiting = [...new Set(secrets)].sort((one, other) => other.length - one.length);
  const forms: EncodedSecret[] = [];
  const bytes: EncodedSecret[] = [];
  let index: Index = new Map();
  let indexOfBytes: Index = new Map();
  return (text) => {
    const before = waiting.length;
    for (let next = waiting.at(-1); next !== undefined && next.length <= text.length; next = waiting.at(-1)) {
      forms.push(...secretFormsOf(next));
      bytes.push(...bytesOf(next).map((of) => ({ text: of })));
      waiting.pop();
    }
    if (waiting.length < before) [index, indexOfBytes] = [indexOf(forms), indexOf(bytes)];
    return index.size === 0 ? text : maskedInUrls(covered(text, placesIn(text, index)), indexOfBytes);
  };
};

/** Names of fields that contain a map of headers, whose keys come from a server. */
const OF_HEADERS = /headers$/i;

/**
 * Copies a JSON value and masks every text in it, at any depth. Does not change the names of fields, except the names
 * of headers, which come from a server.
 *
 * @param isMap returns whether the keys below a field come from a server, so that they must be masked too
 */
export const maskedTexts = <T>(
  value: T,
  mask: Mask,
  isMap: (name: string) => boolean = (name) => OF_HEADERS.test(name),
): T => {
  const visit = (part: unknown, named: string): unknown => {
    if (typeof part === 'string') return mask(part);
    if (Array.isArray(part)) return part.map((item) => visit(item, ''));
    if (typeof part !== 'object' || part === null) return part;
    const isOpen = isMap(named);
    const fields = new Map<string, unknown>();
    for (const [name, field] of Object.entries(part)) {
      fields.set(isOpen ? unlike(mask(name), fields) : name, visit(field, isOpen ? named : name));
    }
    return Object.fromEntries(fields);
  };
  return visit(value, '') as T;
};

/** Returns an unused key, such as `*** 2`: different names may be equal after masking. */
const unlike = (name: string, fields: ReadonlyMap<string, unknown>): string => {
  let other = name;
  for (let n = 2; fields.has(other); n++) other = `${name} ${n}`;
  return other;
};

/** A form of a secret in the index. */
interface Indexed extends EncodedSecret {
  /** the longest other form that is a prefix of this one */
  shorter: Indexed | null;
}

/** The forms by their first {@link SHORTEST_FORM} characters; each group is sorted by text. */
type Index = ReadonlyMap<string, readonly Indexed[]>;

const indexOf = (given: readonly EncodedSecret[]): Index => {
  const index = new Map<string, Indexed[]>();
  for (const form of given) {
    const start = form.text.slice(0, SHORTEST_FORM);
    const others = index.get(start);
    if (others) others.push({ ...form, shorter: null });
    else index.set(start, [{ ...form, shorter: null }]);
  }
  for (const forms of index.values()) {
    forms.sort((one, other) => (one.text < other.text ? -1 : 1));
    forms.forEach((form, at) => {
      form.shorter = beginningOf(form.text, forms[at - 1] ?? null);
    });
  }
  return index;
};

/**
 * Returns the longest form that is a prefix of a text.
 *
 * @param last the greatest form in the sort order that is not greater than the text
 */
const beginningOf = (text: string, last: Indexed | null): Indexed | null => {
  let form = last;
  while (form && !text.startsWith(form.text)) form = form.shorter;
  return form;
};

/**
 * Returns the longest form of a secret at an offset. If only a shorter form were masked, the end of the secret would
 * remain visible. Users choose the secrets, so the search must be fast even if many forms share a prefix.
 */
const formAt = (text: string, at: number, index: Index): Indexed | null => {
  const forms = index.get(text.slice(at, at + SHORTEST_FORM));
  if (!forms) return null;
  const rest = text.slice(at);
  let [from, to] = [0, forms.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((forms[middle]?.text ?? '') <= rest) from = middle + 1;
    else to = middle;
  }
  return beginningOf(rest, forms[from - 1] ?? null);
};

/** Offsets of a part of a text; `to` is exclusive. */
type Range = readonly [from: number, to: number];

const placesIn = (text: string, index: Index): Range[] => {
  const places: Range[] = [];
  let done = 0;
  let at = 0;
  while (at + SHORTEST_FORM <= text.length) {
    const form = formAt(text, at, index);
    if (!form) {
      at++;
      continue;
    }
    let end = at + form.text.length;
    if (form.within) {
      while (at > done && form.within.before.test(text.charAt(at - 1))) at--;
      while (end < text.length && form.within.after.test(text.charAt(end))) end++;
    }
    places.push([at, end]);
    done = at = end;
  }
  return places;
};

const covered = (text: string, places: readonly Range[]): string => {
  if (places.length === 0) return text;
  let done = 0;
  let shown = '';
  for (const [from, to] of places) {
    shown += text.slice(done, from) + MASKED_TEXT;
    done = to;
  }
  return shown + text.slice(done);
};

/**
 * Masks secrets in URLs, whatever mixture of escaped and unescaped characters represents them. Programs differ in which
 * characters of a URL they escape.
 */
const maskedInUrls = (text: string, index: Index): string => {
  if (index.size === 0 || !text.includes('%')) return text;
  const words = text.split(/(\s+)/).map((word) => {
    if (!/%[\da-f]{2}/i.test(word)) return word;
    const shown = maskedInUrl(word, index, '+');
    return shown.includes('+') ? maskedInUrl(shown, index, ' ') : shown;
  });
  return words.join('');
};

/** @param plus the character that a plus sign represents */
const maskedInUrl = (url: string, index: Index, plus: '+' | ' '): string => {
  let bytes = '';
  /** offset in `url` of each decoded byte, and of the end */
  const places: number[] = [];
  for (const { 0: written, index: at } of url.matchAll(/%[\da-f]{2}|[^]/giu)) {
    const meant = written.length === 3 ? String.fromCharCode(Number.parseInt(written.slice(1), 16)) : utf8Of(written);
    bytes += written === '+' ? plus : meant;
    for (let byte = 0; byte < meant.length; byte++) places.push(at);
  }
  places.push(url.length);
  const found = placesIn(bytes, index).map(([from, to]) => [places[from] ?? 0, places[to] ?? 0] as const);
  return covered(url, found);
};

const utf8Of = (character: string): string =>
  character < '\u0080' ? character : Buffer.from(character).toString('latin1');
