import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

/** What alert rules depend on of a check besides its definition and its results; its id is the check's. */
export interface JudgedCheckDocument {
  id: string;
  organization_id: string;
  /** by its own switch */
  switched_on: boolean;
  group_id: string | null;
  /** whether it runs by itself: it and its group are active */
  active: boolean;
  /** when that last became so, or the check was created */
  active_since: Instant;
  /** position of the last event that changed the check in any way, or its group's switch */
  changed_position: number;
}

/** A group of checks that is switched off; its id is the group's. */
interface PausedGroupDocument {
  id: string;
}

interface Models {
  judged_checks: Model<JudgedCheckDocument>;
  paused_groups: Model<PausedGroupDocument>;
}

interface Change {
  position: bigint;
  metadata: { recorded_at: Instant };
}

/** Keeps a check that an event changes, with what follows of whether it runs. */
const put = (
  { position, metadata }: Change,
  check: JudgedCheckDocument,
  changes: Partial<Pick<JudgedCheckDocument, 'switched_on' | 'group_id'>>,
  { judged_checks, paused_groups }: Models,
): void => {
  const changed = { ...check, ...changes };
  const active = changed.switched_on && (changed.group_id === null || !paused_groups.get(changed.group_id));
  judged_checks.put({
    ...changed,
    active,
    active_since: active && !check.active ? metadata.recorded_at : check.active_since,
    changed_position: Number(position),
  });
};

/**
 * Checks as the judgement of alert rules follows them: which ones have changed, and whether they run by themselves.
 * What they are otherwise is in the read model `checks`.
 */
export const judgedChecks = defineProjection({
  name: 'judged_checks',
  version: 1,
  log: 'main',
  collections: {
    judged_checks: collection<JudgedCheckDocument>({ indexes: [{ changed_position: 1 }, { group_id: 1 }] }),
    paused_groups: collection<PausedGroupDocument>({ indexes: [] }),
  },
  documents: (event) => {
    switch (event.type) {
      case 'CheckCreated':
      case 'CheckUpdated':
      case 'CheckDeleted':
        return { judged_checks: [event.data.check_id] };
      case 'CheckGrouped': {
        const { check_id, group_id } = event.data;
        return { judged_checks: [check_id], ...(group_id !== null && { paused_groups: [group_id] }) };
      }
      default:
        return { paused_groups: [event.data.check_group_id] };
    }
  },
  further: {
    CheckUpdated: ({ data }, { judged_checks }) => {
      const group = judged_checks.get(data.check_id)?.group_id ?? null;
      return group === null ? {} : { paused_groups: [group] };
    },
  },
  searches: {
    CheckGroupUpdated: ({ data: { check_group_id, changes } }) =>
      changes.active === undefined ? {} : { judged_checks: { where: { group_id: check_group_id } } },
    CheckGroupDeleted: ({ data }) => ({ judged_checks: { where: { group_id: data.check_group_id } } }),
  },
  on: {
    CheckCreated: ({ data, metadata, position }, { judged_checks }) => {
      const { check_id: id, organization_id, active } = data;
      judged_checks.put({
        id,
        organization_id,
        switched_on: active,
        group_id: null,
        active,
        active_since: metadata.recorded_at,
        changed_position: Number(position),
      });
    },
    CheckUpdated: (event, models) => {
      const check = models.judged_checks.get(event.data.check_id);
      const { active } = event.data.changes;
      if (check) put(event, check, active === undefined ? {} : { switched_on: active }, models);
    },
    CheckDeleted: ({ data }, { judged_checks }) => {
      judged_checks.delete(data.check_id);
    },
    CheckGrouped: (event, models) => {
      const check = models.judged_checks.get(event.data.check_id);
      if (check) put(event, check, { group_id: event.data.group_id }, models);
    },
    CheckGroupCreated: ({ data: { check_group_id: id, check_group } }, { paused_groups }) => {
      if (!check_group.active) paused_groups.put({ id });
    },
    CheckGroupUpdated: (event, models) => {
      const { check_group_id: id, changes } = event.data;
      if (changes.active === undefined) return;
      if (changes.active) models.paused_groups.delete(id);
      else models.paused_groups.put({ id });
      for (const check of models.judged_checks.found) put(event, check, {}, models);
    },
    CheckGroupDeleted: (event, models) => {
      models.paused_groups.delete(event.data.check_group_id);
      for (const check of models.judged_checks.found) put(event, check, { group_id: null }, models);
    },
  },
});
