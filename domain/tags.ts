/** The most tags that a check or a heartbeat has. */
export const MOST_TAGS = 20;

/** What a tag looks like: 1 to 50 lower-case letters, digits and the characters `.`, `_`, `:` and `-`. */
export const TAG_PATTERN = '^[a-z0-9._:-]{1,50}$';

/** Tags as they are stored: each once, sorted by their characters. */
export const normalTags = (tags: readonly string[]): string[] => [...new Set(tags)].sort();
