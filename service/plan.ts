import type { ChildProcess } from 'node:child_process';
import type { CheckTypeName } from '../domain/check/events.ts';
import type { Region } from '../domain/check/regions.ts';
import type { AnyProjection } from '../projections/engine/fold/define.ts';
import { projections } from '../projections/index.ts';
import { TYPES } from '../probes/index.ts';
import { launchProbes } from './run/probe-processes.ts';
import { launchScripts } from './run/script-processes.ts';

/**
 * A duty of a process: `api` serves all requests, `site` only those of status pages, `project` keeps read models up to
 * date, `schedule` schedules check runs and other due work, `run` runs checks.
 */
export type Duty = 'api' | 'site' | 'project' | 'schedule' | 'run';

/** The duties of this process. */
export interface Plan {
  duties: ReadonlySet<Duty>;
  /** read models that `project` keeps up to date */
  projections: readonly AnyProjection[];
  /** regions whose runs `run` takes; null: those of REGIONS */
  regions: readonly Region[] | null;
  /** types of checks that `run` runs */
  types: readonly CheckTypeName[];
  /** Starts a child process that runs checks of these types. */
  launchProbes: () => ChildProcess;
  /** Starts a child process that runs scripts of checks. */
  launchScripts: () => ChildProcess;
}

/** Whether the process serves pages for visitors; processes with the API do too. */
export const servesPages = ({ duties }: Pick<Plan, 'duties'>): boolean => duties.has('api') || duties.has('site');

/** Whether the process starts or executes runs, which others drop as late if its clock is wrong. */
export const needsRightClock = ({ duties }: Pick<Plan, 'duties'>): boolean =>
  duties.has('run') || duties.has('schedule');

/** `uptrail serve` */
export const EVERYTHING: Plan = {
  duties: new Set<Duty>(['api', 'project', 'schedule', 'run']),
  projections,
  regions: null,
  types: TYPES,
  launchProbes,
  launchScripts,
};
