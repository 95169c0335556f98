/** Results of the loads tested in virtual time, as last stored by `npm run bench -- capacity`. */
import { readFileSync } from 'node:fs';
import { inProject } from '../../test/project.ts';
import type { Resource } from './deployments.ts';
import type { Simulated } from './simulation.ts';

/** A tested load and its outcome. */
export interface Trial {
  deployment: string;
  /** description of the load */
  what: string;
  checks: number;
  /** seconds between the runs of a check */
  interval: number;
  /** the fullest resource according to the calculation */
  calculated: Resource;
  simulated: Simulated;
}

export const storedTrials = (): Trial[] =>
  JSON.parse(readFileSync(inProject('bench/capacity/trials.json'), 'utf8')) as Trial[];
