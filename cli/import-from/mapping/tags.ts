import { MAX_TAGS } from '../../../domain/tags.ts';

const MAX_LENGTH = 50;

/** Converts a text to a tag: lower case, with `-` in place of other characters; null if nothing is left. */
export const tagOf = (text: string): string | null => {
  const tag = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._:-]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
  return tag === '' ? null : tag;
};

/** Converts a label to the tag `name:value`. */
export const labelTag = (name: string, value: string): string | null => tagOf(value === '' ? name : `${name}:${value}`);

/** The tags of an object, and those that exceed the limit of tags. */
export const limitedTags = (tags: readonly (string | null)[]): { tags: string[]; excess: string[] } => {
  const all = [...new Set(tags.filter((tag) => tag !== null))];
  return { tags: all.slice(0, MAX_TAGS).sort(), excess: all.slice(MAX_TAGS) };
};
