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
  /** set: its runs ended the probe process twice, so none begins */
  parked_at: string | null;
}

/** The read model `checks`, as the scheduler needs it. */
export interface CheckSource {
  /** A position of the main log that the documents have passed. */
  position(): Promise<bigint>;
  /** The next documents in the order of their ids, at most 1,000; empty at the end. */
  page(afterId: string | null): Promise<readonly ScheduledCheck[]>;
  /** Documents by id, once the read model has passed the position; absent ones are left out. */
  get(ids: readonly string[], passed: bigint): Promise<readonly ScheduledCheck[]>;
}
