import type { Schemas } from '../../api/openapi.d.ts';

/** The state of a heartbeat, as the API's filter names it; `pending`: never pinged. */
export type HeartbeatState = 'down' | 'grace' | 'up' | 'pending' | 'paused';

/** In order of importance. */
export const STATES: readonly HeartbeatState[] = ['down', 'grace', 'up', 'pending', 'paused'];

export const LATE: readonly HeartbeatState[] = ['down', 'grace'];
export const NOT_LATE: readonly HeartbeatState[] = ['up', 'pending', 'paused'];

export const stateOf = ({ status }: Pick<Schemas['HeartbeatRow'], 'status'>): HeartbeatState => status ?? 'pending';

/** A parsed filter line: `status:down,grace tag:eu backup`. */
export interface Filter {
  statuses: readonly HeartbeatState[];
  /** a heartbeat must have at least one of them */
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

/** Valid tags; others match nothing and are not sent. */
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

/** Returns the line with its status conditions replaced by one status, or removed if it had only that one. */
export const withState = (line: string, state: HeartbeatState): string => {
  const rest = line.split(/\s+/).filter((word) => word !== '' && valuesIn(word, 'status') === null);
  const { statuses } = filterOf(line);
  const isAlone = statuses.length === 1 && statuses[0] === state;
  return [...(isAlone ? [] : [`status:${state}`]), ...rest].join(' ');
};

/** Returns the query of `GET /v1/heartbeats` for a filter. @param statuses default statuses */
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
