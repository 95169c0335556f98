import type { Schemas } from '../../api/openapi.d.ts';

/** The state of a heartbeat, with the names of the API's filter. `pending`: the heartbeat was never pinged. */
export type HeartbeatState = 'down' | 'grace' | 'up' | 'pending' | 'paused';

/** All states, most important first. */
export const STATES: readonly HeartbeatState[] = ['down', 'grace', 'up', 'pending', 'paused'];

export const LATE: readonly HeartbeatState[] = ['down', 'grace'];
export const NOT_LATE: readonly HeartbeatState[] = ['up', 'pending', 'paused'];

export const stateOf = ({ status }: Pick<Schemas['HeartbeatRow'], 'status'>): HeartbeatState => status ?? 'pending';

/** A parsed filter line: `status:down,grace tag:eu backup`. */
export interface Filter {
  statuses: readonly HeartbeatState[];
  /** a heartbeat must have at least one of these tags */
  tags: readonly string[];
  /** text contained in the name */
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

/** Matches valid tags. Invalid tags can't match any heartbeat, and are not sent to the API. */
const TAG = /^[a-z0-9._:-]{1,50}$/;

/** Parses a filter line. A word that is not a condition is searched for literally. */
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

/**
 * Replaces the status conditions of a filter line by one status. If this status is already the line's only status
 * condition, removes the condition.
 */
export const withState = (line: string, state: HeartbeatState): string => {
  const rest = line.split(/\s+/).filter((word) => word !== '' && valuesIn(word, 'status') === null);
  const { statuses } = filterOf(line);
  const isAlone = statuses.length === 1 && statuses[0] === state;
  return [...(isAlone ? [] : [`status:${state}`]), ...rest].join(' ');
};

/**
 * Returns the query of `GET /v1/heartbeats` for a filter.
 *
 * @param statuses statuses to request if the filter names none
 */
export const queryOf = ({ statuses: named, tags, text }: Filter, statuses: readonly HeartbeatState[]) => ({
  status: named.length > 0 ? named : statuses,
  ...(tags.length > 0 && { tag: tags }),
  ...(text !== '' && { name: text }),
});

/** Returns whether a heartbeat matches a filter, by the same rules as the service. */
export const matches = (
  row: Pick<Schemas['HeartbeatRow'], 'status' | 'tags' | 'name'>,
  { statuses, tags, text }: Filter,
): boolean =>
  (statuses.length === 0 || statuses.includes(stateOf(row))) &&
  (tags.length === 0 || tags.some((tag) => row.tags.includes(tag))) &&
  row.name.toLowerCase().includes(text.toLowerCase());
