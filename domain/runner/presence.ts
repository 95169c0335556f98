import type { CheckTypeName } from '../check/events.ts';

/** A connected process of a remote runner, with its last reported data. */
export interface RunnerPresence {
  runner_id: string;
  /** distinguishes processes with the same token */
  instance: string;
  /** id of the region */
  region: string;
  types: readonly CheckTypeName[];
  /** the types that it can't run; `reason`: a sentence */
  lacking: readonly { type: CheckTypeName; reason: string }[];
  /** the version of its program */
  release: string;
  /** the IP address of its requests */
  address: string | null;
  in_flight: number;
  capacity: number;
  /** milliseconds since 1970 */
  last_contact: number;
  /** how far its clock is ahead, milliseconds; null if unknown */
  clock_offset_ms: number | null;
}
