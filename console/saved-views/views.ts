/** A filter with a name. */
export interface SavedView {
  name: string;
  /** of the address, without its question mark: `filter=status%3Adown` */
  query: string;
}

/** The saved views of a list, in the order in which they were saved. */
export interface SavedViews {
  views: readonly SavedView[];
  /** the name of the view that the list opens with; null: it shows everything */
  byDefault: string | null;
}

export const MOST_VIEWS = 50;
export const LONGEST_NAME = 60;
const LONGEST_QUERY = 2_000;

const NONE: SavedViews = { views: [], byDefault: null };

/** A name without what can't be seen, or would change the direction of what is around it. */
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

/** Saved views, of whatever a browser's storage has: others may have written there, or an older version. */
export const viewsIn = (found: unknown): SavedViews => {
  if (typeof found !== 'object' || found === null) return NONE;
  const { views, byDefault } = found as Record<string, unknown>;
  if (!Array.isArray(views)) return NONE;
  const byName = new Map(views.filter(isView).map(({ name, query }) => [name, { name, query }] as const));
  const sound = [...byName.values()].slice(0, MOST_VIEWS);
  return { views: sound, byDefault: sound.find(({ name }) => name === byDefault)?.name ?? null };
};

/** What is wrong with the name of a view; null: nothing. @param renamed the name that it has now, if it is saved */
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

/** With one more view, whose name has no problem. */
export const withView = (all: SavedViews, text: string, query: string, isDefault: boolean): SavedViews => {
  if (nameProblem(all, text) !== null || query === '' || query.length > LONGEST_QUERY) return all;
  const name = nameOf(text);
  return { views: [...all.views, { name, query }], byDefault: isDefault ? name : all.byDefault };
};

/** With a view renamed. */
export const renamed = (all: SavedViews, from: string, text: string): SavedViews => {
  if (nameProblem(all, text, from) !== null) return all;
  const name = nameOf(text);
  return {
    views: all.views.map((view) => (view.name === from ? { ...view, name } : view)),
    byDefault: all.byDefault === from ? name : all.byDefault,
  };
};

/** Without a view. */
export const withoutView = ({ views, byDefault }: SavedViews, name: string): SavedViews => ({
  views: views.filter((view) => view.name !== name),
  byDefault: byDefault === name ? null : byDefault,
});

/** With another view that the list opens with. @param name null: it shows everything */
export const withDefault = ({ views }: SavedViews, name: string | null): SavedViews => ({
  views,
  byDefault: views.find((view) => view.name === name)?.name ?? null,
});

/** Whether two queries say the same. */
export const isSameQuery = (one: string, other: string): boolean => sortedQuery(one) === sortedQuery(other);

const sortedQuery = (query: string): string => {
  const sorted = new URLSearchParams(query);
  sorted.sort();
  return sorted.toString();
};
