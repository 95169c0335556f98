import type { ChildProcess } from 'node:child_process';
import type { CheckTypeName } from '../domain/check/events.ts';
import type { Region } from '../domain/check/regions.ts';
import type { AnyProjection } from '../projections/engine/fold/define.ts';
import { projections } from '../projections/index.ts';
import { TYPES } from '../probes/index.ts';
import { launchProbes } from './run/probe-processes.ts';
import { launchScripts } from './run/script-processes.ts';

/**
 * A duty of a process. `api`: serve all requests. `site`: serve only requests of status pages. `project`: keep read
 * models up to date. `schedule`: schedule check runs and other due work. `run`: run checks.
 */
export type Duty = 'api' | 'site' | 'project' | 'schedule' | 'run';

/** The duties of this process. */
export interface Plan {
  duties: ReadonlySet<Duty>;
  /** projections whose read models the duty `project` keeps up to date */
  projections: readonly AnyProjection[];
  /** regions whose runs the duty `run` executes; null: the regions in REGIONS */
  regions: readonly Region[] | null;
  /** types of checks that the duty `run` executes */
  types: readonly CheckTypeName[];
  /** listening sockets that a service manager has opened; null: the process opens its sockets itself */
  sockets: readonly number[] | null;
  /** Starts a child process that runs checks of `types`. */
  launchProbes: () => ChildProcess;
  /** Starts a child process that runs scripts of checks. */
  launchScripts: () => ChildProcess;
}

/**
 * Returns whether the process serves status pages. True for the duty `site`, and for the duty `api`, which includes it.
 */
export const servesPages = ({ duties }: Pick<Plan, 'duties'>): boolean => duties.has('api') || duties.has('site');

/**
 * Returns whether the process starts or executes runs. Such a process needs a right clock: if its clock is wrong, other
 * processes drop its runs as late.
 */
export const needsRightClock = ({ duties }: Pick<Plan, 'duties'>): boolean =>
  duties.has('run') || duties.has('schedule');

/** The plan of `uptrail serve`, which has all duties but `site`, because `api` includes it. */
export const EVERYTHING: Plan = {
  duties: new Set<Duty>(['api', 'project', 'schedule', 'run']),
  projections,
  regions: null,
  types: TYPES,
  sockets: null,
  launchProbes,
  launchScripts,
};
