import type { Schemas } from '../../api/openapi.d.ts';

export type Row = Schemas['OverviewRow'];

/** A parsed filter line: `status:down,paused tag:eu checkout`. */
export interface Filter {
  statuses: readonly string[];
  types: readonly string[];
  /** a check must be in one of these groups (ids); `none`: in no group */
  groups: readonly string[];
  /** lists of tags; a check must have at least one tag of every list */
  tags: readonly (readonly string[])[];
  /**
   * text that the name, tags, message or target must contain, in lower case. Several words are one text: `eu west` does
   * not match `west eu`
   */
  text: string;
}

const FIELDS = ['status', 'type', 'group', 'tag'] as const;
type Field = (typeof FIELDS)[number];

const termOf = (word: string): [Field, string[]] | null => {
  const colon = word.indexOf(':');
  const field = FIELDS.find((one) => one === word.slice(0, colon).toLowerCase());
  const values = word
    .slice(colon + 1)
    .toLowerCase()
    .split(',')
    .filter(Boolean);
  return field && values.length > 0 ? [field, values] : null;
};

/** Parses a filter line. A word that is not a condition is searched for literally. */
export const filterOf = (line: string): Filter => {
  const words = line.split(/\s+/).filter(Boolean);
  const terms = words.map(termOf);
  const valuesOf = (field: Field): string[][] => terms.flatMap((term) => (term?.[0] === field ? [term[1]] : []));
  return {
    statuses: valuesOf('status').flat(),
    types: valuesOf('type').flat(),
    groups: valuesOf('group').flat(),
    tags: valuesOf('tag'),
    text: words
      .filter((word, index) => terms[index] === null && !FIELDS.some((field) => word.toLowerCase() === `${field}:`))
      .join(' ')
      .toLowerCase(),
  };
};

/** Search texts of rows, cached so that a keystroke does not compute them again for 10,000 rows. */
const searchTexts = new WeakMap<Row, string>();
const textOf = (row: Row): string => {
  const known = searchTexts.get(row);
  if (known !== undefined) return known;
  const text = [row.name, ...row.tags, row.error_message ?? ''].join('\n').toLowerCase();
  searchTexts.set(row, text);
  return text;
};

/**
 * Returns whether a check matches a filter.
 *
 * @param found ids of the checks whose target contains the text of the filter. Needed because rows do not include
 * targets
 */
export const checkMatches = (
  row: Row,
  { statuses, types, groups, tags, text }: Filter,
  found: ReadonlySet<string>,
): boolean =>
  (statuses.length === 0 || statuses.includes(row.status)) &&
  (types.length === 0 || types.includes(row.type)) &&
  (groups.length === 0 || groups.includes(row.group_id ?? 'none')) &&
  tags.every((some) => some.some((tag) => row.tags.includes(tag))) &&
  (text === '' || textOf(row).includes(text) || found.has(row.id));

/**
 * Replaces the status conditions of a filter line by one status. If that status is already the only condition on the
 * status, removes the condition.
 */
export const withStatus = (line: string, status: string): string => {
  const rest = line.split(/\s+/).filter((word) => word !== '' && termOf(word)?.[0] !== 'status');
  const { statuses } = filterOf(line);
  const isAlone = statuses.length === 1 && statuses[0] === status;
  return [...(isAlone ? [] : [`status:${status}`]), ...rest].join(' ');
};
