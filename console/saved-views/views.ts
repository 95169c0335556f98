/** A named filter. */
export interface SavedView {
  name: string;
  /** query of the URL, without the question mark: `filter=status%3Adown` */
  query: string;
}

/** The saved views of a list, in the order in which they were saved. */
export interface SavedViews {
  views: readonly SavedView[];
  /** name of the default view; null: the complete list */
  byDefault: string | null;
}

export const MOST_VIEWS = 50;
export const LONGEST_NAME = 60;
const LONGEST_QUERY = 2_000;

const NONE: SavedViews = { views: [], byDefault: null };

/** Returns a name without invisible characters and without characters that change the direction of surrounding text. */
export const nameOf = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME);

const isView = (found: unknown): found is SavedView => {
  if (typeof found !== 'object' || found === null) return false;
  const { name, query } = found as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    name !== '' &&
    nameOf(name) === name &&
    typeof query === 'string' &&
    query !== '' &&
    query.length <= LONGEST_QUERY
  );
};

/**
 * Reads saved views from the browser's storage. The stored value may have any form, for example that of an older
 * version, so invalid views are dropped.
 */
export const parseViews = (found: unknown): SavedViews => {
  if (typeof found !== 'object' || found === null) return NONE;
  const { views, byDefault } = found as Record<string, unknown>;
  if (!Array.isArray(views)) return NONE;
  const byName = new Map(views.filter(isView).map(({ name, query }) => [name, { name, query }] as const));
  const sound = [...byName.values()].slice(0, MOST_VIEWS);
  return { views: sound, byDefault: sound.find(({ name }) => name === byDefault)?.name ?? null };
};

/**
 * Returns the problem with a view's name, or null if there is none.
 *
 * @param renamed current name of the view, if it is already saved
 */
export const nameProblem = (
  { views }: SavedViews,
  text: string,
  renamed: string | null = null,
): 'empty' | 'taken' | 'full' | null => {
  const name = nameOf(text);
  if (name === '') return 'empty';
  if (name !== renamed && views.some((view) => view.name === name)) return 'taken';
  return renamed === null && views.length >= MOST_VIEWS ? 'full' : null;
};

/** Adds a view. Its name must be valid. */
export const withView = (all: SavedViews, text: string, query: string, isDefault: boolean): SavedViews => {
  if (nameProblem(all, text) !== null || query === '' || query.length > LONGEST_QUERY) return all;
  const name = nameOf(text);
  return { views: [...all.views, { name, query }], byDefault: isDefault ? name : all.byDefault };
};

/** Renames a view. */
export const withRenamedView = (all: SavedViews, from: string, text: string): SavedViews => {
  if (nameProblem(all, text, from) !== null) return all;
  const name = nameOf(text);
  return {
    views: all.views.map((view) => (view.name === from ? { ...view, name } : view)),
    byDefault: all.byDefault === from ? name : all.byDefault,
  };
};

/** Removes a view. */
export const withoutView = ({ views, byDefault }: SavedViews, name: string): SavedViews => ({
  views: views.filter((view) => view.name !== name),
  byDefault: byDefault === name ? null : byDefault,
});

/** Sets the default view. @param name null: the complete list */
export const withDefault = ({ views }: SavedViews, name: string | null): SavedViews => ({
  views,
  byDefault: views.find((view) => view.name === name)?.name ?? null,
});

/** Returns whether two queries are equivalent. */
export const isSameQuery = (one: string, other: string): boolean => sortedQuery(one) === sortedQuery(other);

const sortedQuery = (query: string): string => {
  const sorted = new URLSearchParams(query);
  sorted.sort();
  return sorted.toString();
};
