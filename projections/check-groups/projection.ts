import type { CheckGroupFields } from '../../domain/check-group/events.ts';
import { revisionOf } from '../../domain/revision.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';

/** A check group in the form of API responses, without its checks and their status, which queries add. */
export interface CheckGroupDocument extends CheckGroupFields {
  id: string;
  organization_id: string;
  /** see domain/revision.ts */
  revision: number;
  created_at: Instant;
  updated_at: Instant;
  /** Start of the pause. Null if the group is not paused. */
  paused_at: Instant | null;
}

/** Existing check groups. If a check refers to a group that is not here, queries ignore the reference. */
export const checkGroups = defineProjection({
  name: 'check_groups',
  version: 3,
  log: 'main',
  collections: {
    check_groups: collection<CheckGroupDocument>({
      indexes: [{ organization_id: 1, position: 1, name: 1 }, { active: 1 }],
    }),
  },
  documents: (event) => ({ check_groups: [event.data.check_group_id] }),
  on: {
    CheckGroupCreated: (event, { check_groups }) => {
      const { data, metadata } = event;
      check_groups.put({
        id: data.check_group_id,
        organization_id: data.organization_id,
        ...data.check_group,
        revision: revisionOf(event),
        created_at: metadata.recorded_at,
        updated_at: metadata.recorded_at,
        paused_at: data.check_group.active ? null : metadata.recorded_at,
      });
    },
    CheckGroupUpdated: (event, { check_groups }) => {
      const { changes, check_group_id } = event.data;
      const { recorded_at: now } = event.metadata;
      const group = check_groups.get(check_group_id);
      if (!group) return;
      const switched = changes.active !== undefined && changes.active !== group.active;
      const paused_at = switched ? (changes.active === true ? null : now) : group.paused_at;
      check_groups.put({ ...group, ...changes, revision: revisionOf(event), updated_at: now, paused_at });
    },
    CheckGroupDeleted: ({ data }, { check_groups }) => {
      check_groups.delete(data.check_group_id);
    },
  },
});
