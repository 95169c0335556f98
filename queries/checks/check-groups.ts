import { NO_PLACE, type Place } from '../../domain/check/state.ts';
import { positionAfter } from '../../domain/position.ts';
import { checkGroups, type CheckGroupDocument } from '../../projections/check-groups/projection.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { FieldCondition } from '../../stores/read-store/port.ts';
import { containing, exactly } from '../engine/filters.ts';
import { joined, type Listing, type Paging } from '../engine/listing.ts';
import { ownDocuments } from '../engine/own-documents.ts';
import type { Reading, Scope } from '../engine/scope.ts';

/** Why a check does not run though its own switch is on (docs/decisions.md: Check groups). */
export const GROUP_PAUSED = 'Its group is paused.';

/** How many checks of a group are how; all of them are `paused` while the group is. */
export interface StatusSummary {
  total: number;
  up: number;
  down: number;
  pending: number;
  paused: number;
}

/** A group with what its checks say. */
export interface GroupDetails extends CheckGroupDocument {
  checks_count: number;
  /** the worst of its checks that run; `paused`: none does; null: it has none */
  status: 'down' | 'pending' | 'up' | 'paused' | null;
  status_summary: StatusSummary;
}

interface GroupFilters {
  /** any part of the name, case ignored */
  name?: string;
  active?: boolean;
}

const own = ownDocuments((read) => read(checkGroups).check_groups, 'check group', {
  sort: { position: 1, name: 1 },
  filters: { name: containing, active: exactly },
});

/** @throws NotFound */
export const findGroup = own.one;

/** Whether {@link findGroup} would find it. */
export const hasGroup = own.has;

const counting = ({ read }: Pick<Scope, 'read'>) => {
  const { count } = read(checks).checks;
  return async ({ id: group_id, active }: CheckGroupDocument): Promise<StatusSummary> => {
    const total = await count({ group_id });
    if (!active || total === 0) return { total, up: 0, down: 0, pending: 0, paused: total };
    const running = (status: CheckDocument['status']) => count({ group_id, active: true, status });
    const [up, down, pending] = await Promise.all([running('up'), running('down'), running('pending')]);
    // Counted one after another while checks change, the parts may not make up the whole for a moment.
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
export const groupWithDetails = async (scope: Reading, groupId: string): Promise<GroupDetails> =>
  detailing(scope)(await findGroup(scope, groupId));

/** The groups of the organization, by position, then by name. */
export const listGroups = async (
  scope: Reading,
  filters: GroupFilters,
  paging: Paging,
): Promise<Listing<GroupDetails>> => joined(await own.list(scope, filters, paging), async () => detailing(scope));

/** How many groups the organization has, and the position after the last. */
export const endOfGroups = async ({ read, organizationId }: Reading): Promise<{ count: number; end: number }> => {
  const groups = read(checkGroups).check_groups;
  const where = { organization_id: organizationId };
  const [count, last] = await Promise.all([
    groups.count(where),
    groups.pick(['position'], { where, sort: { position: -1, name: -1 }, limit: 1 }),
  ]);
  return { count, end: positionAfter(last[0]?.position ?? 0) };
};

/** A place that a check has, and which check that is. */
type Present = Place & { id: string };

/** The position after the last check of a group; that of a check which is the last one by itself. */
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
 * The position of a check in its group: the requested one (null: the end), else its present one, else the end.
 *
 * Two that are moved at once may get the same position; then the name decides.
 *
 * @param present the check where it is so far; null: it is new
 */
export const placeFor = async (
  scope: Pick<Scope, 'read'>,
  { group_id, position }: { group_id: string | null; position?: number | null | undefined },
  present: Present | null = null,
): Promise<Place> => {
  if (group_id === null) return NO_PLACE;
  const kept = group_id === present?.group_id && position === undefined ? present.position : null;
  return { group_id, position: position ?? kept ?? (await endOfGroup(scope, group_id, present)) };
};

/** Where a check belongs after a change of its group, of its position, or of both. */
export const newPlaceOf = async (
  scope: Reading,
  { id, group_id: present, position: current }: Present,
  { group_id, position }: { group_id?: string | null | undefined; position?: number | null | undefined },
): Promise<Place> => {
  // In a group that was deleted it is in none.
  const before =
    present !== null && (await own.has(scope, present)) ? { group_id: present, position: current } : NO_PLACE;
  const asked = { group_id: group_id === undefined ? before.group_id : group_id, position };
  return placeFor(scope, asked, { id, ...before });
};

/**
 * Places at the end of a group for many checks, read before the first of them moves. One that is in the group already
 * stays where it is.
 */
export const placesAtEnd = async (
  scope: Reading,
  group_id: string | null,
): Promise<(present: Present | null) => Place> => {
  if (group_id === null) return () => NO_PLACE;
  let next = await endOfGroup(scope, group_id, null);
  return (present) => {
    if (present?.group_id === group_id) return { group_id, position: present.position };
    const position = next;
    next = positionAfter(next);
    return { group_id, position };
  };
};

/** Checks by their group; only groups that exist count. @param group_id null: those in no group */
export const inGroup = async (scope: Reading, group_id: string | null): Promise<FieldCondition> => {
  if (group_id !== null) return { $in: (await own.has(scope, group_id)) ? [group_id] : [] };
  const where = { organization_id: scope.organizationId };
  const groups = await scope.read(checkGroups).check_groups.pick(['id'], { where });
  return { $nin: groups.map(({ id }) => id) };
};

type Grouped = Pick<CheckDocument, 'group_id'>;

/** The group of each check that is in one, by the group's id; one that was deleted is left out. */
export const groupsOf = async (
  { read }: Pick<Scope, 'read'>,
  found: readonly Grouped[],
): Promise<Map<string, CheckGroupDocument>> => {
  const ids = new Set(found.flatMap(({ group_id }) => (group_id === null ? [] : [group_id])));
  const groups = ids.size === 0 ? [] : await read(checkGroups).check_groups.getMany([...ids].sort());
  return new Map(groups.map((group) => [group.id, group]));
};

/** Whether the group of a check lets it run, for each of these checks. */
export const groupsLetRun = async (
  scope: Pick<Scope, 'read'>,
  found: readonly Grouped[],
): Promise<(check: Grouped) => boolean> => {
  const groups = await groupsOf(scope, found);
  return ({ group_id }) => group_id === null || (groups.get(group_id)?.active ?? true);
};

/** Whether a group lets its checks run; each is read once. */
export const groupSwitch = ({ read }: Pick<Scope, 'read'>): ((groupId: string) => Promise<boolean>) => {
  const known = new Map<string, Promise<boolean>>();
  return (id) => {
    const asked =
      known.get(id) ??
      read(checkGroups)
        .check_groups.get(id)
        .then((group) => group?.active ?? true);
    known.set(id, asked);
    return asked;
  };
};

/** Ids of the paused groups of all organizations. */
export const pausedGroups = async ({ read }: Pick<Scope, 'read'>): Promise<Set<string>> => {
  const groups = await read(checkGroups).check_groups.pick(['id'], { where: { active: false } });
  return new Set(groups.map(({ id }) => id));
};
