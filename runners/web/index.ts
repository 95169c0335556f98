import { WebParameters } from '../../domain/check/types/web.ts';
import type { CheckType } from '../probe/check-type.ts';
import { WebMetadata } from './metadata.ts';
import { runWeb } from './run.ts';

/**
 * Checks of type `web`: the example for every other type. A type is one folder with
 *
 * - what its parameters may be: domain/check/types/, since the API says so too
 * - `metadata.ts`: what its results hold
 * - `run.ts`: how it is run
 * - here: the above together, with the programs it needs; `../runs.ts` has how it is run, for probe processes
 *
 * and its tests in test/runners/, against servers on this machine.
 */
export const web: CheckType = {
  type: 'web',
  parameters: WebParameters,
  metadata: WebMetadata,
  tools: [],
  run: runWeb,
};
