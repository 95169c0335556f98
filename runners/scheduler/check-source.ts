import type { CheckTypeName } from '../../domain/check/events.ts';

/** A check as the scheduler reads it: the document of the read model `checks`. */
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
  /** with sealed texts */
  parameters: Record<string, unknown>;
  /** `pending`: it never ran */
  status: 'pending' | 'up' | 'down';
  /** set: its runs ended the probe process twice, so no more start */
  parked_at: string | null;
  /** while this group is paused, no runs start; it may have been deleted since */
  group_id: string | null;
}

/** The read models `checks` and `check_groups`, as the scheduler needs them. */
export interface CheckSource {
  /** A position of the main log that both read models have passed. */
  position(): Promise<bigint>;
  /** The next documents in the order of their ids, at most 1,000; empty at the end. */
  page(afterId: string | null): Promise<readonly ScheduledCheck[]>;
  /** Ids of the paused groups of all organizations. */
  pausedGroups(): Promise<ReadonlySet<string>>;
  /**
   * Documents, by id, of checks that may run, once the read models have passed the position: existing, active, not
   * parked, and in no paused group.
   */
  get(ids: readonly string[], passed: bigint): Promise<readonly ScheduledCheck[]>;
}
