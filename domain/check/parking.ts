import { isDeepStrictEqual } from 'node:util';
import { IllegalState } from '../errors.ts';
import type { Instant } from '../time.ts';
import type { CheckEvent } from './events.ts';
import type { RunDefinition } from './run.ts';
import { existing, isLive, type Check } from './state.ts';

/** The reason that users see if a check does not run because it is parked (docs/reference/checks.md#parked-checks). */
export const PARKED = 'Its runs ended the probe process twice.';

/**
 * The reason that users see if an on-demand run has no result because the run crashed the probe process twice. If the
 * run belongs to a check, the check is parked.
 */
export const CRASHED_PROBE_PROCESS = 'The run ended the probe process twice.';

/** A run that crashed two probe processes. The second process executed no other run, so this run is the cause. */
export interface CrashedProbeProcesses {
  run_id: string;
  /** id of the region of the run */
  region: string;
  /** the definition that ran */
  definition: RunDefinition;
  at: Instant;
  /** how the second process ended */
  cause: string;
}

/**
 * Parks a check after one of its runs crashed two probe processes. Returns no event if the definition of the check has
 * changed meanwhile.
 */
export const parkCheck = (
  check: Check,
  { run_id, region, definition, at, cause }: CrashedProbeProcesses,
): CheckEvent[] => {
  if (!isLive(check) || check.parked) return [];
  const { url, host, port, timeout, parameters } = check.settings;
  const now: RunDefinition = { type: check.type, url, host, port, timeout, parameters };
  if (!isDeepStrictEqual(now, definition)) return [];
  return [{ type: 'CheckParked', data: { check_id: check.id, run_id, region, at, cause } }];
};

/**
 * Allows a parked check to run again.
 *
 * @throws NotFound
 * @throws IllegalState the check is not parked
 */
export const releaseCheck = (check: Check): CheckEvent => {
  const { id, parked } = existing(check);
  if (!parked) throw new IllegalState('Only a parked check can be released.');
  return { type: 'CheckReleased', data: { check_id: id } };
};
