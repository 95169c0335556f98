import { Failure } from '../../api/failure.ts';
import type { RequestOf } from '../../api/request.ts';
import { call } from '../../session/call.ts';
import { conditionsOf, type Filter, type Row } from './filter.ts';

export type Action = 'acknowledge' | 'resolve';

/** Maximum number of alerts per bulk change (docs/reference/bulk-changes.md#bulk-request). */
export const MOST_AT_ONCE = 1_000;

export interface Outcome {
  /** ids of the alerts that were changed */
  done: ReadonlySet<string>;
  /** the first error; null: all alerts were changed */
  failure: Failure | null;
}

/** Returns whether an action applies to an alert. */
export const canApply = ({ status }: Pick<Row, 'status'>, action: Action): boolean =>
  action === 'acknowledge' ? status === 'firing' : status !== 'resolved';

type Body = NonNullable<RequestOf<'POST /v1/alerts/bulk'>['body']>;

const change = async (selection: Pick<Body, 'ids' | 'filter'>, action: Action): Promise<Outcome> => {
  const body = { ...selection, change: { [action]: true as const } };
  const { results } = await call('POST /v1/alerts/bulk', { body });
  const done = new Set(results.flatMap(({ id, status }) => (id !== null && status < 300 ? [id] : [])));
  const refused = results.find(({ status }) => status >= 300);
  return { done, failure: refused ? new Failure(refused.status, refused.error?.message ?? '', {}) : null };
};

/** Acknowledges or resolves alerts. @throws Failure the request was rejected */
export const changeAlerts = (ids: readonly string[], action: Action): Promise<Outcome> => change({ ids }, action);

/**
 * Applies an action to all alerts that match a filter and whose status allows the action, at most {@link MOST_AT_ONCE}.
 */
export const changeMatching = (filter: Filter, action: Action): Promise<Outcome> => {
  const open = action === 'acknowledge' ? 'firing' : 'active';
  const status = filter.status === 'active' || filter.status === 'all' ? open : filter.status;
  return change({ filter: conditionsOf({ ...filter, status }) }, action);
};

/**
 * Returns the optimistic state of an alert after an action. This state is shown until the stream confirms the action.
 */
export const optimisticRow = (row: Row, action: Action, userId: string, now: Date): Row => {
  const at = now.toISOString().replace('Z', '000');
  return action === 'acknowledge'
    ? { ...row, status: 'acknowledged', acknowledged_at: at, acknowledged_by_id: userId }
    : { ...row, status: 'resolved', is_active: false, resolved_at: at, resolved_by_id: userId, resolution: 'manual' };
};
