import type { CheckTypeName } from '../../domain/check/events.ts';

/** A check as the scheduler reads it. It is a document of the read model `checks`. */
export interface ScheduledCheck {
  id: string;
  organization_id: string;
  type: CheckTypeName;
  active: boolean;
  /** seconds */
  interval: number;
  /** seconds */
  timeout: number;
  url: string | null;
  host: string | null;
  port: number | null;
  /** parameters with sealed texts */
  parameters: Record<string, unknown>;
  /** `pending`: the check has never run */
  status: 'pending' | 'up' | 'down';
  /** when the check was parked (its runs ended the probe process twice, so no more runs start); null: not parked */
  parked_at: string | null;
  /**
   * id of the group of the check; while the group is paused, no runs start. The group may have been deleted meanwhile.
   */
  group_id: string | null;
}

/** The read models `checks` and `check_groups`, as the scheduler needs them. */
export interface CheckSource {
  /** Returns a position of the main log that both read models have passed. */
  position(): Promise<bigint>;
  /** Returns the next checks in the order of their ids, at most 1,000. Returns an empty list at the end. */
  page(afterId: string | null): Promise<readonly ScheduledCheck[]>;
  /** Returns the ids of the paused groups of all organizations. */
  pausedGroups(): Promise<ReadonlySet<string>>;
  /**
   * Returns the checks with the given ids that may run: they exist, are active, are not parked, and are in no paused
   * group. First waits until the read models have passed the position.
   */
  get(ids: readonly string[], passed: bigint): Promise<readonly ScheduledCheck[]>;
}
