import type { CheckGroupFields } from '../../domain/check-group/events.ts';
import { revisionOf } from '../../domain/revision.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';

/** A check group as the API shows it; which checks are in it, and how they are, queries join. */
export interface CheckGroupDocument extends CheckGroupFields {
  id: string;
  organization_id: string;
  /** see domain/revision.ts */
  revision: number;
  created_at: Instant;
  updated_at: Instant;
}

/** Check groups that exist: an id that is not here names none any more, whatever checks still say. */
export const checkGroups = defineProjection({
  name: 'check_groups',
  version: 2,
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
      });
    },
    CheckGroupUpdated: (event, { check_groups }) => {
      const { data, metadata } = event;
      const group = check_groups.get(data.check_group_id);
      if (!group) return;
      check_groups.put({
        ...group,
        ...data.changes,
        revision: revisionOf(event),
        updated_at: metadata.recorded_at,
      });
    },
    CheckGroupDeleted: ({ data }, { check_groups }) => {
      check_groups.delete(data.check_group_id);
    },
  },
});
