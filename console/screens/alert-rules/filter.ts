import type { Rule } from './draft.ts';

/** The filter of the rule list, from the query of the URL. */
export interface Filter {
  text: string;
  check_id: string | null;
  tag: string | null;
  /** from 1 */
  page: number;
}

/** Page size of the rule list. */
export const PAGE_SIZE = 100;

export const filterOf = (query: URLSearchParams): Filter => {
  const page = Number(query.get('page') ?? 1);
  return {
    text: query.get('q') ?? '',
    check_id: query.get('check_id') || null,
    tag: query.get('tag') || null,
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
};

/** Returns the path of the list with a filter: `/alerts/rules?tag=eu`. */
export const ruleListPath = ({ text, check_id, tag, page }: Filter): string => {
  const query = new URLSearchParams({
    ...(text.trim() !== '' && { q: text.trim() }),
    ...(check_id !== null && { check_id }),
    ...(tag !== null && { tag }),
    ...(page > 1 && { page: page.toString() }),
  });
  return query.size === 0 ? '/alerts/rules' : `/alerts/rules?${query.toString()}`;
};

/** Returns the rules whose name, check, tag or channels contain a text, sorted by name. */
export const rulesMatching = (rules: readonly Rule[], text: string): readonly Rule[] => {
  const wanted = text.trim().toLowerCase();
  return rules
    .filter(({ name, check_name, tag, channels }) =>
      [name, check_name ?? '', tag ?? '', ...channels.map((channel) => channel.name)].some((one) =>
        one.toLowerCase().includes(wanted),
      ),
    )
    .sort((one, other) => one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1));
};
