import type { CheckTypeName } from '../check/events.ts';

/** A connected process of a remote runner, with the data that it last reported. */
export interface RunnerPresence {
  runner_id: string;
  /** distinguishes processes that use the same token */
  instance: string;
  /** id of the region */
  region: string;
  types: readonly CheckTypeName[];
  /** the check types that the runner cannot run; `reason` is a sentence */
  lacking: readonly { type: CheckTypeName; reason: string }[];
  /** the version of the runner's program */
  release: string;
  /** the IP address from which the runner's requests come */
  address: string | null;
  in_flight: number;
  capacity: number;
  /** milliseconds since 1970 */
  last_contact: number;
  /** how far the runner's clock is ahead of the service's clock, in milliseconds; null if unknown */
  clock_offset_ms: number | null;
}
