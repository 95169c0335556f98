import { Invalid } from './errors.ts';

/** Maximum number of tags of a check or a heartbeat. */
export const MAX_TAGS = 20;

/** The pattern of tags: 1 to 50 lower-case letters, digits and the characters `.`, `_`, `:` and `-`. */
export const TAG_PATTERN = '^[a-z0-9._:-]{1,50}$';

/**
 * Returns the tags after an addition and a removal. A tag in both `added` and `removed` is removed.
 *
 * @throws Invalid there would be too many tags (field `add_tags`)
 */
export const tagsAfter = (
  tags: readonly string[],
  added: readonly string[] = [],
  removed: readonly string[] = [],
): string[] => {
  const removedTags = new Set(removed);
  const after = normalTags([...tags, ...added]).filter((tag) => !removedTags.has(tag));
  if (after.length <= MAX_TAGS) return after;
  throw Invalid.field('add_tags', `There would be ${after.length} tags; at most ${MAX_TAGS} are allowed.`);
};

/** Returns the stored form of tags: sorted, without duplicates. */
export const normalTags = (tags: readonly string[]): string[] => [...new Set(tags)].sort();
