import type { CheckTypeName } from '../check/events.ts';

/** A process of a remote runner, as the service last heard of it. */
export interface RunnerPresence {
  runner_id: string;
  /** tells processes with one token apart */
  instance: string;
  /** id of the region */
  region: string;
  types: readonly CheckTypeName[];
  /** the types that it can't run, and why, in a sentence */
  lacking: readonly { type: CheckTypeName; reason: string }[];
  /** the version of its program */
  release: string;
  /** where its requests come from */
  address: string | null;
  in_flight: number;
  capacity: number;
  /** milliseconds since 1970 */
  last_contact: number;
  /** by how much its clock is ahead, milliseconds; null: not known */
  clock_offset_ms: number | null;
}
