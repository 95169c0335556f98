import type { Schemas } from '../../api/openapi.d.ts';

export type Row = Schemas['OverviewRow'];

/** A filter line, understood: `status:down,paused tag:eu checkout`. */
export interface Filter {
  statuses: readonly string[];
  types: readonly string[];
  /** ids of groups, of which a check is in one; `none`: it is in no group */
  groups: readonly string[];
  /** a check has one of each list at least */
  tags: readonly (readonly string[])[];
  /** what its name, its tags, its message or its target contains, lower case; several words are one text */
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

/** Understands a filter line. A word that is no condition is searched for as it stands. */
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

/** Texts of rows as they are searched, so that a keystroke does not make those of 10,000 again. */
const searched = new WeakMap<Row, string>();
const textOf = (row: Row): string => {
  const known = searched.get(row);
  if (known !== undefined) return known;
  const text = [row.name, ...row.tags, row.error_message ?? ''].join('\n').toLowerCase();
  searched.set(row, text);
  return text;
};

/**
 * Whether a check fulfils a filter.
 *
 * @param found ids of checks whose target contains the text, which rows don't have
 */
export const fulfils = (
  row: Row,
  { statuses, types, groups, tags, text }: Filter,
  found: ReadonlySet<string>,
): boolean =>
  (statuses.length === 0 || statuses.includes(row.status)) &&
  (types.length === 0 || types.includes(row.type)) &&
  (groups.length === 0 || groups.includes(row.group_id ?? 'none')) &&
  tags.every((some) => some.some((tag) => row.tags.includes(tag))) &&
  (text === '' || textOf(row).includes(text) || found.has(row.id));

/** The line with a condition on the status in place of those that it has; without any where it has that one alone. */
export const withStatus = (line: string, status: string): string => {
  const rest = line.split(/\s+/).filter((word) => word !== '' && termOf(word)?.[0] !== 'status');
  const { statuses } = filterOf(line);
  const isAlone = statuses.length === 1 && statuses[0] === status;
  return [...(isAlone ? [] : [`status:${status}`]), ...rest].join(' ');
};
