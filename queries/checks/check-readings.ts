import type { Pause } from '../../domain/concurrency/time-slices.ts';
import { isSilent } from '../../domain/check/missing-runners.ts';
import { millisecondsOf, type Instant } from '../../domain/time.ts';
import { checkActivity, type CheckActivityDocument } from '../../projections/check-activity/projection.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import type { Scope } from '../engine/scope.ts';
import { findGroupsOf } from './check-groups.ts';

/** The state of a running check for monitoring systems. */
export interface CheckReading {
  id: string;
  name: string;
  type: string;
  /** name of the check's group; empty if it has none */
  group: string;
  /** name of the organization */
  organization: string;
  up: boolean;
  /** response time of the newest run, in milliseconds; null if the run has none */
  response_time: number | null;
  /** earliest expiry of the certificates that the newest run saw; null if it saw none */
  certificate_expires_at: number | null;
}

/** Maximum number of checks per query. */
const PAGE = 1_000;
/** Number of results per query. A result of an `ssl` check has several kilobytes. */
const RESULTS_PAGE = 250;

const FIELDS = [
  'id',
  'organization_id',
  'name',
  'type',
  'active',
  'interval',
  'status',
  'url',
  'group_id',
  'parked_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof CheckDocument)[];

// Lists are read instead of documents by id, because the embedded read store reads lists in another thread.
const ACTIVITY_FIELDS = [
  'id',
  'last_checked_at',
  'response_time',
  'results',
] as const satisfies readonly (keyof CheckActivityDocument)[];

type PickedActivity = Pick<CheckActivityDocument, (typeof ACTIVITY_FIELDS)[number]>;
type PickedCheck = Pick<CheckDocument, (typeof FIELDS)[number]>;

export interface ReadingOptions {
  /** the organization of the checks; null: all organizations */
  organizationId: string | null;
  /** maximum number of checks */
  limit: number;
  /** divides the work into time slices */
  pause: Pause;
}

/** Readings of checks, in the order of ids. */
export interface CheckReadings {
  readings: CheckReading[];
  /** number of active checks that were not read because of the limit */
  omitted: number;
}

/**
 * Reads the state of the checks that run: active ones with a status and a recent result. Omits checks that are paused,
 * parked, or have had no result for twice their interval.
 */
export const readCheckReadings = async (
  scope: Pick<Scope, 'read' | 'now'>,
  { organizationId, limit, pause }: ReadingOptions,
): Promise<CheckReadings> => {
  const { checks: collection } = scope.read(checks);
  const where = {
    deleted_at: null,
    active: true,
    ...(organizationId !== null && { organization_id: organizationId }),
  };
  const size = Math.min(PAGE, limit + 1);
  const readings: CheckReading[] = [];
  for (let last: string | null = null; ;) {
    const rest = { ...where, ...(last !== null && { id: { $gt: last } }) };
    if (readings.length >= limit) {
      const unread = await collection.count(rest);
      return { readings: readings.slice(0, limit), omitted: unread + readings.length - limit };
    }
    const page: PickedCheck[] = await collection.pick(FIELDS, { where: rest, sort: { id: 1 }, limit: size });
    for (const reading of await readingsOf(scope, page, pause)) readings.push(reading);
    last = page.at(-1)?.id ?? last;
    if (page.length < size)
      return { readings: readings.slice(0, limit), omitted: Math.max(0, readings.length - limit) };
  }
};

const readingsOf = async (
  scope: Pick<Scope, 'read' | 'now'>,
  page: readonly PickedCheck[],
  pause: Pause,
): Promise<CheckReading[]> => {
  const candidates = page.filter(({ status, parked_at }) => status !== 'pending' && parked_at === null);
  if (candidates.length === 0) return [];
  const { read, now } = scope;
  const [groups, owners, activities] = await Promise.all([
    findGroupsOf(scope, candidates),
    read(organizations).organizations.getMany([...new Set(candidates.map((check) => check.organization_id))]),
    read(checkActivity).check_activity.pick(ACTIVITY_FIELDS, {
      where: { id: { $in: candidates.map(({ id }) => id) } },
    }),
  ]);
  await pause();
  const names = new Map(owners.map(({ id, name }) => [id, name]));
  const activityOf = new Map(activities.map((activity) => [activity.id, activity]));
  const running = candidates.flatMap((check) => {
    const activity = activityOf.get(check.id);
    const group = check.group_id === null ? undefined : groups.get(check.group_id);
    if (!activity || activity.last_checked_at === null || group?.active === false) return [];
    return isSilent(check, activity.last_checked_at, now) ? [] : [{ check, activity, group }];
  });
  const expiries = await readExpiries(scope, running, pause);
  return running.map(({ check, activity, group }) => ({
    id: check.id,
    name: check.name,
    type: check.type,
    group: group?.name ?? '',
    organization: names.get(check.organization_id) ?? '',
    up: check.status === 'up',
    response_time: activity.response_time,
    certificate_expires_at: expiries.get(check.id) ?? null,
  }));
};

/** Returns whether the results of a check can contain certificates. */
const mayUseTls = ({ type, url }: PickedCheck): boolean =>
  type === 'ssl' || type === 'tcp' || ((type === 'web' || type === 'api') && url?.startsWith('https:') === true);

/** Reads when the certificates in the newest results of checks expire, in milliseconds since 1970, by check id. */
const readExpiries = async (
  { read }: Pick<Scope, 'read'>,
  running: readonly { check: PickedCheck; activity: PickedActivity }[],
  pause: Pause,
): Promise<Map<string, number>> => {
  const ids = running.flatMap(({ check, activity }) => (mayUseTls(check) ? activity.results.slice(0, 1) : []));
  const found = new Map<string, number>();
  for (let start = 0; start < ids.length; start += RESULTS_PAGE) {
    const where = { id: { $in: ids.slice(start, start + RESULTS_PAGE) } };
    const results = await read(checkResults).check_results.pick(['check_id', 'check_metadata'], { where });
    for (const { check_id, check_metadata } of results) {
      const expiry = expiryIn(check_metadata);
      if (check_id !== null && expiry !== null) found.set(check_id, expiry);
    }
    await pause();
  }
  return found;
};

/** The parts of a result's `check_metadata` that name certificates (domain/check/types/). */
interface CertificateMetadata {
  tls?: { not_after?: Instant; issuer_expires_first?: { not_after?: Instant } } | null;
  certificate_info?: { not_after?: Instant; path?: readonly { not_after?: Instant }[] | null } | null;
}

/** Returns the earliest expiry in the metadata of a result, in milliseconds since 1970; null if there is none. */
const expiryIn = (metadata: Record<string, unknown>): number | null => {
  const { tls, certificate_info: info }: CertificateMetadata = metadata;
  const times = [
    tls?.not_after,
    tls?.issuer_expires_first?.not_after,
    info?.not_after,
    ...(info?.path ?? []).map(({ not_after }) => not_after),
  ].flatMap((at) => (at === undefined ? [] : [millisecondsOf(at)]));
  const earliest = Math.min(...times);
  return Number.isFinite(earliest) ? earliest : null;
};
