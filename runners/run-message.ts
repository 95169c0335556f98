import type { CheckTypeName } from '../domain/check/events.ts';
import type { QueuedRun } from '../stores/work-queue/port.ts';

/** How long past its slot and timeout a run may still begin. */
export const START_GRACE_MS = 60_000;

/** A definition as it travels to a worker: its texts are sealed. */
export interface QueuedDefinition {
  type: CheckTypeName;
  url: string | null;
  host: string | null;
  port: number | null;
  /** seconds */
  timeout: number;
  parameters: Record<string, unknown>;
}

/** The payload of a {@link QueuedRun}: what a worker needs to run a check and to store the result. */
export interface RunMessage {
  /** null for a definition that is not stored */
  check_id: string | null;
  organization_id: string;
  /** when the run was due, milliseconds since 1970 */
  slot: number;
  result_type: 'regular' | 'on_demand';
  /** the job of an on-demand run */
  execution_id: string | null;
  /** of parallel runs */
  execution_group_id: string | null;
  definition: QueuedDefinition;
}

export const messageOf = (run: QueuedRun): RunMessage => run.payload as RunMessage;
