import { isDeepStrictEqual } from 'node:util';
import { IllegalState } from '../errors.ts';
import type { Instant } from '../time.ts';
import type { CheckEvent } from './events.ts';
import type { RunDefinition } from './run.ts';
import { existing, isLive, type Check } from './state.ts';

/** Why a parked check does not run (docs/reference/checks.md#parked-checks). */
export const PARKED = 'Its runs ended the probe process twice.';

/** Why an on-demand run that crashed the probe process twice has no result. Its check, if any, is parked. */
export const CRASHED_PROBE_PROCESS = 'The run ended the probe process twice.';

/** A run that crashed two processes, the second of which ran nothing else. */
export interface CrashedProbeProcesses {
  run_id: string;
  /** id of the region */
  region: string;
  /** the definition that ran */
  definition: RunDefinition;
  at: Instant;
  /** how the process ended */
  cause: string;
}

/** Parks a check whose run ended its process twice, unless the check has changed since the run. */
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
 * @throws IllegalState it is not parked
 */
export const releaseCheck = (check: Check): CheckEvent => {
  const { id, parked } = existing(check);
  if (!parked) throw new IllegalState('Only a parked check can be released.');
  return { type: 'CheckReleased', data: { check_id: id } };
};
