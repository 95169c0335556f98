/** Longest name of a check, check group, channel, rule, page or component. */
export const MAX_NAME = 100;
const MAX_TAG = 50;
export const MAX_TAGS = 20;

/**
 * Returns a tag (docs/reference/checks.md#tags): lower-case letters, and `-` instead of every other character. A tag
 * with a value becomes `name:value`. Returns null if nothing is left.
 */
export const tagOf = (name: string, value = ''): string | null => {
  const part = (text: string): string =>
    text
      .trim()
      .toLowerCase()
      .replace(/[^a-z0-9._:-]/gu, '-');
  const tag = [part(name), part(value)].filter((text) => text !== '').join(':');
  return tag === '' ? null : tag.slice(0, MAX_TAG);
};

/** Returns different tags, at most as many as a check can have. */
export const tagsOf = (tags: readonly (string | null)[]): string[] =>
  [...new Set(tags.filter((tag) => tag !== null))].slice(0, MAX_TAGS);

/** Cuts a text to a number of UTF-16 units, but never inside a character. */
export const cut = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const end = text.slice(0, length);
  return /[\ud800-\udbff]$/.test(end) ? end.slice(0, -1) : end;
};

/** Returns a name that is not taken in its scope. */
export type Naming = (name: string, scope?: string) => string;

/**
 * Gives names that are unique in a scope, such as a group: names that are already taken get a number (`API (2)`). White
 * space at the ends is removed, and long names are cut.
 *
 * @param fallback the name of an object without one
 */
export const uniqueNames = (fallback: string, length = MAX_NAME): Naming => {
  const taken = new Set<string>();
  return (name, scope = '') => {
    const clean = cut(name.replace(/\s+/g, ' ').trim() || fallback, length).trim();
    for (let number = 1; ; number++) {
      const suffix = number === 1 ? '' : ` (${number})`;
      const candidate = `${cut(clean, length - suffix.length)}${suffix}`;
      const key = JSON.stringify([scope, candidate]);
      if (taken.has(key)) continue;
      taken.add(key);
      return candidate;
    }
  };
};
