import { Invalid } from './errors.ts';

/** The most tags that a check or a heartbeat has. */
export const MOST_TAGS = 20;

/** What a tag looks like: 1 to 50 lower-case letters, digits and the characters `.`, `_`, `:` and `-`. */
export const TAG_PATTERN = '^[a-z0-9._:-]{1,50}$';

/**
 * Tags after some were added and others removed; one that is named in both is removed.
 *
 * @throws Invalid there would be too many; names `add_tags`
 */
export const tagsAfter = (
  tags: readonly string[],
  added: readonly string[] = [],
  removed: readonly string[] = [],
): string[] => {
  const gone = new Set(removed);
  const after = normalTags([...tags, ...added]).filter((tag) => !gone.has(tag));
  if (after.length <= MOST_TAGS) return after;
  throw Invalid.field(
    'add_tags',
    `There would be ${after.length.toString()} tags; at most ${MOST_TAGS.toString()} are allowed.`,
  );
};

/** Tags as they are stored: each once, sorted by their characters. */
export const normalTags = (tags: readonly string[]): string[] => [...new Set(tags)].sort();
