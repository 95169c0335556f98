import { NO_RUNNER } from '../../domain/check/missing-runners.ts';
import type { ResultValues } from '../../projections/past/results/past-results.ts';
import { CREDIT_LIMIT_EXCEEDED } from '../../domain/credits/credits.ts';

/** Whether values of a resource, by its id, or of the `organization`, were read but cannot be derived from the log. */
export type IsUnknown = (values: ResultValues, of: string) => boolean;

/** A field that follows from results or pings. */
export interface ResultField {
  /** Whether the field cannot be derived for a resource, which has the field as it would be without any results. */
  isUnknown: (resource: Readonly<Record<string, unknown>>, isUnknown: IsUnknown) => boolean;
  /** true: the field is omitted where it is unknown, otherwise it is null */
  isOmitted?: true;
}

export type ResultFields = Readonly<Record<string, ResultField>>;

const of = (values: ResultValues): ResultField => ({
  isUnknown: ({ id }, isUnknown) => typeof id === 'string' && isUnknown(values, id),
});

/**
 * A check without results for some time has no runner, perhaps: no log records the connections of runners. The credits of
 * an organization are only read if it has a limit.
 */
const suspendedReason: ResultField = {
  isUnknown: ({ active, suspended_reason: reason }, isUnknown) => {
    if (active !== true) return false;
    if (reason === NO_RUNNER) return true;
    return (reason === null || reason === CREDIT_LIMIT_EXCEEDED) && isUnknown('credits', 'organization');
  },
};

export const CHECK_FIELDS: ResultFields = {
  last_checked_at: of('check_activity'),
  suspended_reason: suspendedReason,
  uptime_summary: { ...of('check_hours'), isOmitted: true },
  uptime_data: { ...of('check_hours'), isOmitted: true },
};

export const ORGANIZATION_FIELDS: ResultFields = {
  credits: { isUnknown: (_, isUnknown) => isUnknown('credits', 'organization') },
};

export const HEARTBEAT_FIELDS: ResultFields = {
  // Paused heartbeats, and those that are down, have this status according to the log `main`.
  status: {
    isUnknown: ({ id, status }, isUnknown) => status === null && isUnknown('heartbeat_states', String(id)),
  },
  last_ping_at: of('heartbeat_states'),
  next_expected_ping: of('heartbeat_states'),
  recent_pings: { ...of('heartbeat_pings'), isOmitted: true },
};
