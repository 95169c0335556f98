import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Known, type Models } from '../engine/fold/define.ts';

/**
 * The data of a check on which alert rules depend, without its definition, its results and its group. The id is that of
 * the check.
 */
export interface JudgedCheckDocument {
  id: string;
  organization_id: string;
  /** whether the check itself is active */
  switched_on: boolean;
  /** Most recent time at which the check was activated, created or restored, or left a paused group. */
  since: Instant;
  group_id: string | null;
  /** Time at which the check joined its group or left the previous one. Null if it was never in a group. */
  grouped_at: Instant | null;
  /** Position of the newest event that changed the check in any way. */
  changed_position: number;
}

/**
 * Whether a group of checks is active. The id is that of the group. The document of a deleted group remains, and
 * pauses no check.
 */
export interface JudgedGroupDocument {
  id: string;
  active: boolean;
  /** Most recent time at which `active` changed, or the group was created. */
  since: Instant;
  changed_position: number;
}

const collections = {
  judged_checks: collection<JudgedCheckDocument>({ indexes: [{ changed_position: 1 }] }),
  judged_groups: collection<JudgedGroupDocument>({ indexes: [{ changed_position: 1 }] }),
};

interface Change {
  position: bigint;
  metadata: { recorded_at: Instant };
}

/** Stores whether a group is active. */
const turned = (
  { position, metadata }: Change,
  id: string,
  active: boolean,
  { judged_groups }: Models<typeof collections>,
): void => {
  const known = judged_groups.get(id);
  if (known?.active === active) return;
  judged_groups.put({ id, active, since: metadata.recorded_at, changed_position: Number(position) });
};

const groupOf = (checkId: string, { judged_checks }: Known<typeof collections>): string | null =>
  judged_checks.get(checkId)?.group_id ?? null;

/**
 * Data of checks for the evaluation of alert rules: which checks have changed, and whether they run on a schedule. All
 * other data is in the read model `checks`. A group can have tens of thousands of checks, so the state of a group is
 * stored only in the document of the group. {@link runsByItself} combines the states of a check and its group.
 */
export const judgedChecks = defineProjection({
  name: 'judged_checks',
  version: 1,
  log: 'main',
  collections,
  documents: (event) => {
    switch (event.type) {
      case 'CheckCreated':
      case 'CheckRestored':
      case 'CheckUpdated':
      case 'CheckDeleted':
      case 'CheckGrouped':
        return { judged_checks: [event.data.check_id] };
      default:
        return { judged_groups: [event.data.check_group_id] };
    }
  },
  further: {
    CheckGrouped: ({ data: { check_id } }, models) => {
      const left = groupOf(check_id, models);
      return left === null ? {} : { judged_groups: [left] };
    },
  },
  on: {
    CheckCreated: ({ data, metadata, position }, { judged_checks }) => {
      const { check_id: id, organization_id, active: switched_on, group_id } = data;
      const { recorded_at: since } = metadata;
      const group = { group_id, grouped_at: group_id === null ? null : since };
      judged_checks.put({ id, organization_id, switched_on, since, ...group, changed_position: Number(position) });
    },
    CheckRestored: ({ data, metadata, position }, { judged_checks }) => {
      const { check_id: id, organization_id, active: switched_on, group_id } = data;
      const { recorded_at: since } = metadata;
      const group = { group_id, grouped_at: group_id === null ? null : since };
      judged_checks.put({ id, organization_id, switched_on, since, ...group, changed_position: Number(position) });
    },
    CheckUpdated: ({ data, metadata, position }, { judged_checks }) => {
      const check = judged_checks.get(data.check_id);
      if (!check) return;
      const { active: switched_on = check.switched_on } = data.changes;
      const since = switched_on && !check.switched_on ? metadata.recorded_at : check.since;
      judged_checks.put({ ...check, switched_on, since, changed_position: Number(position) });
    },
    CheckDeleted: ({ data }, { judged_checks }) => {
      judged_checks.delete(data.check_id);
    },
    CheckGrouped: ({ data, metadata, position }, { judged_checks, judged_groups }) => {
      const check = judged_checks.get(data.check_id);
      if (!check) return;
      const { recorded_at: grouped_at } = metadata;
      const wasOff = check.group_id !== null && judged_groups.get(check.group_id)?.active === false;
      const since = wasOff ? grouped_at : check.since;
      judged_checks.put({
        ...check,
        since,
        group_id: data.group_id,
        grouped_at,
        changed_position: Number(position),
      });
    },
    CheckGroupCreated: (event, models) => {
      turned(event, event.data.check_group_id, event.data.check_group.active, models);
    },
    CheckGroupUpdated: (event, models) => {
      const { check_group_id: id, changes } = event.data;
      if (changes.active !== undefined) turned(event, id, changes.active, models);
    },
    CheckGroupDeleted: (event, models) => {
      turned(event, event.data.check_group_id, true, models);
    },
  },
});

/**
 * Returns whether a check runs on its schedule, and since when. A check runs on its schedule if the check itself is
 * active and its group, if any, is active.
 */
export const runsByItself = (
  { switched_on, since, grouped_at }: Pick<JudgedCheckDocument, 'switched_on' | 'since' | 'grouped_at'>,
  group: Pick<JudgedGroupDocument, 'active' | 'since'> | null,
): { active: boolean; active_since: Instant } => ({
  active: switched_on && group?.active !== false,
  active_since: group && grouped_at !== null && group.since > grouped_at && group.since > since ? group.since : since,
});
