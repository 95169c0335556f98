import { Failure } from '../../api/failure.ts';
import type { RequestOf } from '../../api/request.ts';
import { call } from '../../session/call.ts';
import { conditionsOf, type Filter, type Row } from './filter.ts';

/** What is done to alerts. */
export type Action = 'acknowledge' | 'resolve';

/** The most alerts that are changed at the same time (docs/decisions.md: Bulk changes). */
export const MOST_AT_ONCE = 1_000;

export interface Outcome {
  /** ids of the alerts that were changed */
  done: ReadonlySet<string>;
  /** why the first of the others was not; null: all were */
  failure: Failure | null;
}

/** Whether something can be done to an alert. */
export const isOpenTo = ({ status }: Pick<Row, 'status'>, action: Action): boolean =>
  action === 'acknowledge' ? status === 'firing' : status !== 'resolved';

type Body = NonNullable<RequestOf<'POST /v1/alerts/bulk'>['body']>;

const change = async (selection: Pick<Body, 'ids' | 'filter'>, action: Action): Promise<Outcome> => {
  const body = { ...selection, change: { [action]: true as const } };
  const { results } = await call('POST /v1/alerts/bulk', { body });
  const done = new Set(results.flatMap(({ id, status }) => (id !== null && status < 300 ? [id] : [])));
  const refused = results.find(({ status }) => status >= 300);
  return { done, failure: refused ? new Failure(refused.status, refused.error?.message ?? '', {}) : null };
};

/** Acknowledges or resolves alerts. @throws Failure the request was refused */
export const changeAlerts = (ids: readonly string[], action: Action): Promise<Outcome> => change({ ids }, action);

/** The same with all alerts that fulfil a filter, as far as it can be done to them; at most {@link MOST_AT_ONCE}. */
export const changeMatching = (filter: Filter, action: Action): Promise<Outcome> => {
  const open = action === 'acknowledge' ? 'firing' : 'active';
  const status = filter.status === 'active' || filter.status === 'all' ? open : filter.status;
  return change({ filter: conditionsOf({ ...filter, status }) }, action);
};

/** An alert after something was done to it, until the stream says so. */
export const afterDeed = (row: Row, action: Action, userId: string, now: Date): Row => {
  const at = now.toISOString().replace('Z', '000');
  return action === 'acknowledge'
    ? { ...row, status: 'acknowledged', acknowledged_at: at, acknowledged_by_id: userId }
    : { ...row, status: 'resolved', is_active: false, resolved_at: at, resolved_by_id: userId, resolution: 'manual' };
};
