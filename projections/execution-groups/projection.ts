import { dueAt, startedGroup, timedOut, withResult, type ExecutionGroup } from '../../domain/execution-group/state.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';

export type ExecutionGroupDocument = ExecutionGroup;

/** A group that is still running: an item of the to-do list of the reactor that ends groups at their deadlines. */
export interface OpenGroupDocument {
  /** id of the group */
  id: string;
  check_id: string | null;
  organization_id: string;
  run_id: string;
  /** Ids of its regions. */
  regions: readonly string[];
  /** Deadline of the group. */
  due_at: Instant;
  /** Position of the event that started the group. */
  changed_position: number;
}

/** Parallel runs, with the results of their regions. */
export const executionGroups = defineProjection({
  name: 'execution_groups',
  version: 6,
  log: 'results',
  collections: {
    execution_groups: collection<ExecutionGroupDocument>({
      indexes: [{ check_id: 1, created_at: -1, status: 1 }],
      expires: { field: 'created_at' },
    }),
    open_groups: collection<OpenGroupDocument>({
      indexes: [{ due_at: 1 }, { changed_position: 1 }],
      expires: { field: 'due_at' },
    }),
  },
  documents: ({ data: { execution_group_id: id } }) =>
    id === undefined ? {} : { execution_groups: [id], open_groups: [id] },
  on: {
    ExecutionGroupStarted: ({ data, metadata, position }, { execution_groups, open_groups }) => {
      const { execution_group_id: id } = data;
      // A run that could not be queued is started again with the same group, so the group might exist already.
      if (execution_groups.get(id)) return;
      const group = startedGroup(data, metadata.recorded_at);
      execution_groups.put(group);
      const { check_id, organization_id, run_id, requested_regions: regions } = group;
      const changed_position = Number(position);
      open_groups.put({ id, check_id, organization_id, run_id, regions, due_at: dueAt(group), changed_position });
    },
    CheckRunCompleted: ({ data, metadata }, { execution_groups, open_groups }) => {
      if (data.execution_group_id === undefined) return;
      const group = execution_groups.get(data.execution_group_id);
      // The group is unknown if the retention has removed the event that started it.
      if (!group) return;
      const after = withResult(group, data, metadata.recorded_at);
      if (after === group) return;
      execution_groups.put(after);
      if (after.status !== 'running') open_groups.delete(group.id);
    },
    ExecutionGroupTimedOut: ({ data }, { execution_groups, open_groups }) => {
      const group = execution_groups.get(data.execution_group_id);
      if (group?.status !== 'running') return;
      execution_groups.put(timedOut(group, data.unserved));
      open_groups.delete(group.id);
    },
    ExecutionGroupCancelled: ({ data }, { execution_groups, open_groups }) => {
      const group = execution_groups.get(data.execution_group_id);
      if (group?.status !== 'running') return;
      execution_groups.delete(group.id);
      open_groups.delete(group.id);
    },
  },
});
