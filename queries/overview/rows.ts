import type { CheckTypeName } from '../../domain/check/events.ts';
import type { Instant } from '../../domain/time.ts';
import { timeSlices } from '../../domain/concurrency/time-slices.ts';
import { checkGroups } from '../../projections/check-groups/projection.ts';
import type { CheckRowDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import { findGroupsOf } from '../checks/check-groups.ts';
import type { ReadScope } from '../engine/scope.ts';

/** The shown statuses. If the check or its group is paused, the status is `paused`, and results do not matter. */
export const SHOWN_STATUSES = ['down', 'pending', 'up', 'paused'] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

/** The data of a check in the overview that comes from the main log. */
export interface OverviewCheck extends Pick<
  CheckRowDocument,
  'id' | 'name' | 'type' | 'group_id' | 'tags' | 'active' | 'error_message'
> {
  managed_by: string | null;
  status: ShownStatus;
  /** Start of this status. Null for a pending check, because the start is unknown. */
  since: Instant | null;
  /** The texts that are searched. */
  texts: string;
  /** Name in lower case, by which rows are sorted. A sort with a collator would take ten times as long. */
  sort_name: string;
}

export interface OverviewFilters {
  /** Matches any of these values. */
  status?: readonly ShownStatus[];
  /** Matches any of these values. */
  type?: readonly CheckTypeName[];
  /** Matches checks of this group. Null matches checks that are in no group. */
  group_id?: string | null;
  /** Matches items with any of these tags. */
  tag?: readonly string[];
  /** Matches any part of the name or the target, ignoring case. */
  q?: string;
  /** Matches checks whose own `active` setting has this value. The setting of the check's group does not matter. */
  active?: boolean;
}

/** The read models that {@link readOverviewChecks} reads. */
export const ROW_MODELS: readonly string[] = [checks.name, checkGroups.name];

type Switch = Pick<CheckRowDocument, 'active' | 'paused_at'>;

/** Returns when a check stopped running: at the start of its own pause or that of its group, whichever is earlier. */
const pausedSince = (...switches: readonly (Switch | undefined)[]): Instant | null => {
  const off = switches.flatMap((one) => (one?.active === false ? [one.paused_at] : []));
  return off.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null);
};

const shown = (row: CheckRowDocument, groups: ReadonlyMap<string, Switch>): OverviewCheck => {
  const { id, name, type, tags, active, target } = row;
  const group = row.group_id === null ? undefined : groups.get(row.group_id);
  const runs = active && group?.active !== false;
  return {
    id,
    name,
    type,
    // If the group was deleted, the check is in no group.
    group_id: group ? row.group_id : null,
    tags,
    managed_by: row.managed_by ?? null,
    active,
    status: runs ? row.status : 'paused',
    since: runs ? (row.status === 'pending' ? null : row.since) : pausedSince(row, group),
    error_message: row.error_message,
    texts: `${name}\n${target}`,
    sort_name: name.toLowerCase(),
  };
};

/** Reads all checks of the organization, without a particular order. */
export const readOverviewChecks = async ({ read, organizationId }: ReadScope): Promise<OverviewCheck[]> => {
  const where = { organization_id: organizationId };
  const [rows, groups] = await Promise.all([
    read(checks).check_rows.find({ where }),
    read(checkGroups).check_groups.find({ where }),
  ]);
  const byId = new Map(groups.map((group) => [group.id, group]));
  const pause = timeSlices();
  const found: OverviewCheck[] = [];
  for (const row of rows) {
    found.push(shown(row, byId));
    if (found.length % 1_000 === 0) await pause();
  }
  return found;
};

/** Reads the checks with these ids, in the order of `ids`. Omits checks that do not belong to the organization. */
export const findOverviewChecks = async (scope: ReadScope, ids: readonly string[]): Promise<OverviewCheck[]> => {
  const rows = ids.length === 0 ? [] : await scope.read(checks).check_rows.getMany(ids);
  const own = rows.filter(({ organization_id }) => organization_id === scope.organizationId);
  const groups = await findGroupsOf(scope, own);
  return own.map((row) => shown(row, groups));
};

/** Creates a function that tests whether a check matches all filters, except the filter by status. */
export const createFilter = ({
  type,
  group_id,
  tag,
  q,
  active,
}: OverviewFilters): ((check: OverviewCheck) => boolean) => {
  const text = q === undefined ? null : new RegExp(q.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  return (check) =>
    (type?.includes(check.type) ?? true) &&
    (group_id === undefined || check.group_id === group_id) &&
    (active === undefined || check.active === active) &&
    (tag?.some((one) => check.tags.includes(one)) ?? true) &&
    (text?.test(check.texts) ?? true);
};
