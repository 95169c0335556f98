import type { Schemas } from '../../api/openapi.d.ts';

/** How a heartbeat stands, as the filter of the API names it: `pending` was never pinged. */
export type HeartbeatState = 'down' | 'grace' | 'up' | 'pending' | 'paused';

/** In the order in which they matter. */
export const STATES: readonly HeartbeatState[] = ['down', 'grace', 'up', 'pending', 'paused'];

export const LATE: readonly HeartbeatState[] = ['down', 'grace'];
export const NOT_LATE: readonly HeartbeatState[] = ['up', 'pending', 'paused'];

export const stateOf = ({ status }: Pick<Schemas['HeartbeatRow'], 'status'>): HeartbeatState => status ?? 'pending';

/** A filter line, understood: `status:down,grace tag:eu backup`. */
export interface Filter {
  statuses: readonly HeartbeatState[];
  /** a heartbeat has one of them at least */
  tags: readonly string[];
  /** what its name contains */
  text: string;
}

const valuesIn = (word: string, field: string): string[] | null =>
  word.toLowerCase().startsWith(`${field}:`)
    ? word
        .slice(field.length + 1)
        .toLowerCase()
        .split(',')
        .filter(Boolean)
    : null;

const isState = (text: string): text is HeartbeatState => (STATES as readonly string[]).includes(text);

/** What the API takes as a tag; others find nothing, so they are not sent. */
const TAG = /^[a-z0-9._:-]{1,50}$/;

/** Understands a filter line. A word that is no condition is searched for as it stands. */
export const filterOf = (line: string): Filter => {
  const words = line.split(/\s+/).filter(Boolean);
  const all = words.map((word) => ({ word, status: valuesIn(word, 'status'), tag: valuesIn(word, 'tag') }));
  return {
    statuses: all.flatMap(({ status }) => status ?? []).filter(isState),
    tags: all.flatMap(({ tag }) => tag ?? []).filter((tag) => TAG.test(tag)),
    text: all
      .filter(({ status, tag }) => status === null && tag === null)
      .map(({ word }) => word)
      .join(' ')
      .slice(0, 255),
  };
};

/** The line with one status in place of those that it names; without any where it names that one alone. */
export const withState = (line: string, state: HeartbeatState): string => {
  const rest = line.split(/\s+/).filter((word) => word !== '' && valuesIn(word, 'status') === null);
  const { statuses } = filterOf(line);
  const isAlone = statuses.length === 1 && statuses[0] === state;
  return [...(isAlone ? [] : [`status:${state}`]), ...rest].join(' ');
};

/** The query of `GET /v1/heartbeats` for a filter. @param statuses used where the filter has none */
export const queryOf = ({ statuses: named, tags, text }: Filter, statuses: readonly HeartbeatState[]) => ({
  status: named.length > 0 ? named : statuses,
  ...(tags.length > 0 && { tag: tags }),
  ...(text !== '' && { name: text }),
});

/** Whether a filter finds a heartbeat, as the service would say. */
export const matches = (
  row: Pick<Schemas['HeartbeatRow'], 'status' | 'tags' | 'name'>,
  { statuses, tags, text }: Filter,
): boolean =>
  (statuses.length === 0 || statuses.includes(stateOf(row))) &&
  (tags.length === 0 || tags.some((tag) => row.tags.includes(tag))) &&
  row.name.toLowerCase().includes(text.toLowerCase());
