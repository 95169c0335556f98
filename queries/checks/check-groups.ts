import { NO_GROUP, type GroupPlacement } from '../../domain/check/state.ts';
import { positionAfter } from '../../domain/position.ts';
import { checkGroups, type CheckGroupDocument } from '../../projections/check-groups/projection.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { FieldCondition } from '../../stores/read-store/port.ts';
import { containing, exactly } from '../engine/filters.ts';
import { joinItems, type Listing, type Paging } from '../engine/listing.ts';
import { ownDocuments } from '../engine/own-documents.ts';
import type { ReadScope, Scope } from '../engine/scope.ts';

/** Reason for which an active check does not run (docs/reference/check-groups.md#pause-a-group). */
export const GROUP_PAUSED = 'Its group is paused.';

/** Number of a group's checks by status. If the group is paused, all of its checks count as paused. */
export interface StatusSummary {
  total: number;
  up: number;
  down: number;
  pending: number;
  paused: number;
}

/** A group with the status of its checks. */
export interface GroupDetails extends CheckGroupDocument {
  checks_count: number;
  /**
   * Worst status of the running checks; `paused` if the group has checks but none is running; null if it has no checks.
   */
  status: 'down' | 'pending' | 'up' | 'paused' | null;
  status_summary: StatusSummary;
}

interface GroupFilters {
  /** Matches any part of the name, ignoring case. */
  name?: string;
  active?: boolean;
}

const own = ownDocuments((read) => read(checkGroups).check_groups, 'check group', {
  sort: { position: 1, name: 1 },
  filters: { name: containing, active: exactly },
});

/** @throws NotFound */
export const findCheckGroup = own.one;

/** Tests whether the organization has a group. */
export const hasCheckGroup = own.has;

const counting = ({ read }: Pick<Scope, 'read'>) => {
  const { count } = read(checks).checks;
  return async ({ id: group_id, active }: CheckGroupDocument): Promise<StatusSummary> => {
    const total = await count({ group_id });
    if (!active || total === 0) return { total, up: 0, down: 0, pending: 0, paused: total };
    const running = (status: CheckDocument['status']) => count({ group_id, active: true, status });
    const [up, down, pending] = await Promise.all([running('up'), running('down'), running('pending')]);
    // Checks can change between the counts, so the parts might not add up to the total.
    return { total, up, down, pending, paused: Math.max(0, total - up - down - pending) };
  };
};

const ORDER = ['down', 'pending', 'up', 'paused'] as const;

const detailing = (scope: Pick<Scope, 'read'>) => {
  const summaryOf = counting(scope);
  return async (group: CheckGroupDocument): Promise<GroupDetails> => {
    const status_summary = await summaryOf(group);
    const status = ORDER.find((one) => status_summary[one] > 0) ?? null;
    return { ...group, checks_count: status_summary.total, status, status_summary };
  };
};

/** @throws NotFound */
export const showCheckGroup = async (scope: ReadScope, groupId: string): Promise<GroupDetails> =>
  detailing(scope)(await findCheckGroup(scope, groupId));

/** Lists the groups of the organization, by position, then by name. */
export const listCheckGroups = async (
  scope: ReadScope,
  filters: GroupFilters,
  paging: Paging,
): Promise<Listing<GroupDetails>> => joinItems(await own.list(scope, filters, paging), async () => detailing(scope));

/** Returns the number of the organization's groups, and the position for a new group at the end. */
export const readEndOfGroups = async ({ read, organizationId }: ReadScope): Promise<{ count: number; end: number }> => {
  const groups = read(checkGroups).check_groups;
  const where = { organization_id: organizationId };
  const [count, last] = await Promise.all([
    groups.count(where),
    groups.pick(['position'], { where, sort: { position: -1, name: -1 }, limit: 1 }),
  ]);
  return { count, end: positionAfter(last[0]?.position ?? 0) };
};

/** A check with its current group and position. */
type Present = GroupPlacement & { id: string };

/**
 * Returns the position at the end of a group. If the check `present` is already at the end, returns its current
 * position.
 */
const endOfGroup = async (
  { read }: Pick<Scope, 'read'>,
  group_id: string,
  present: Present | null,
): Promise<number> => {
  const sort = { position: -1, name: -1 } as const;
  const last = await read(checks).checks.pick(['id', 'position'], { where: { group_id }, sort, limit: 2 });
  const before = last.find(({ id }) => id !== present?.id)?.position ?? 0;
  const current = present?.group_id === group_id ? present.position : null;
  return current !== null && current > before ? current : positionAfter(before);
};

/**
 * Chooses the position of a check in its group: the requested position, where null requests the end. If no position is
 * requested, the check keeps its current position, and a new check gets the position at the end.
 *
 * Two checks that are moved concurrently can get the same position. Such checks are ordered by name.
 *
 * @param present the check with its current group and position, or null for a new check
 */
export const choosePosition = async (
  scope: Pick<Scope, 'read'>,
  { group_id, position }: { group_id: string | null; position?: number | null | undefined },
  present: Present | null = null,
): Promise<GroupPlacement> => {
  if (group_id === null) return NO_GROUP;
  const unchanged = group_id === present?.group_id && position === undefined ? present.position : null;
  return { group_id, position: position ?? unchanged ?? (await endOfGroup(scope, group_id, present)) };
};

/** Returns the group and position of a check after a change of its group, its position, or both. */
export const positionAfterChange = async (
  scope: ReadScope,
  { id, group_id: present, position: current }: Present,
  { group_id, position }: { group_id?: string | null | undefined; position?: number | null | undefined },
): Promise<GroupPlacement> => {
  // If the group was deleted, the check is in no group.
  const before =
    present !== null && (await own.has(scope, present)) ? { group_id: present, position: current } : NO_GROUP;
  const requested = { group_id: group_id === undefined ? before.group_id : group_id, position };
  return choosePosition(scope, requested, { id, ...before });
};

/**
 * Chooses positions at the end of a group for several checks, before the first of them is moved. A check that is
 * already in the group keeps its position.
 */
export const choosePositionsAtEnd = async (
  scope: ReadScope,
  group_id: string | null,
): Promise<(present: Present | null) => GroupPlacement> => {
  if (group_id === null) return () => NO_GROUP;
  let next = await endOfGroup(scope, group_id, null);
  return (present) => {
    if (present?.group_id === group_id) return { group_id, position: present.position };
    const position = next;
    next = positionAfter(next);
    return { group_id, position };
  };
};

/** Creates the condition for checks of an existing group. @param group_id null for checks that are in no group */
export const inGroup = async (scope: ReadScope, group_id: string | null): Promise<FieldCondition> => {
  if (group_id !== null) return { $in: (await own.has(scope, group_id)) ? [group_id] : [] };
  const where = { organization_id: scope.organizationId };
  const groups = await scope.read(checkGroups).check_groups.pick(['id'], { where });
  return { $nin: groups.map(({ id }) => id) };
};

type Grouped = Pick<CheckDocument, 'group_id'>;

/** Returns the existing groups of checks, by group id. */
export const findGroupsOf = async (
  { read }: Pick<Scope, 'read'>,
  found: readonly Grouped[],
): Promise<Map<string, CheckGroupDocument>> => {
  const ids = new Set(found.flatMap(({ group_id }) => (group_id === null ? [] : [group_id])));
  const groups = ids.size === 0 ? [] : await read(checkGroups).check_groups.getMany([...ids].sort());
  return new Map(groups.map((group) => [group.id, group]));
};

/** Returns for each check whether no paused group prevents its runs: its group is active, or it has no group. */
export const areGroupsActive = async (
  scope: Pick<Scope, 'read'>,
  found: readonly Grouped[],
): Promise<(check: Grouped) => boolean> => {
  const groups = await findGroupsOf(scope, found);
  return ({ group_id }) => group_id === null || (groups.get(group_id)?.active ?? true);
};

/** Creates a function that tests whether a group lets its checks run. Reads each group once. */
export const createGroupActivityReader = ({ read }: Pick<Scope, 'read'>): ((groupId: string) => Promise<boolean>) => {
  const known = new Map<string, Promise<boolean>>();
  return (id) => {
    const requested =
      known.get(id) ??
      read(checkGroups)
        .check_groups.get(id)
        .then((group) => group?.active ?? true);
    known.set(id, requested);
    return requested;
  };
};

/** Returns the ids of the paused groups of all organizations. */
export const findPausedGroups = async ({ read }: Pick<Scope, 'read'>): Promise<Set<string>> => {
  const groups = await read(checkGroups).check_groups.pick(['id'], { where: { active: false } });
  return new Set(groups.map(({ id }) => id));
};
