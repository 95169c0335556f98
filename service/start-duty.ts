import type { CheckTypeName } from '../domain/check/events.ts';
import { isPrivate, regionOf, type Region } from '../domain/check/regions.ts';
import { TYPES } from '../probes/index.ts';
import { isCluster, type Config } from './config/config.ts';
import type { Output } from './output.ts';
import { OperatorError } from './operator-error.ts';
import { EVERYTHING, type Duty } from './plan.ts';
import { findProjection } from './find-projection.ts';
import { serve } from './serve.ts';

export interface DutyOptions {
  /** read models for the duty `project`; all if absent or empty */
  names?: readonly string[];
  /** ids or aliases of the regions for the duty `run` */
  regions?: readonly string[];
  /** check types for the duty `run`; all if absent */
  types?: readonly string[] | undefined;
}

/**
 * Runs `uptrail api`, `site`, `project`, `schedule` or `run`: one process of a cluster.
 *
 * @returns the exit code; resolves when everything is closed
 * @throws OperatorError no cluster is configured, or a read model, region or type does not exist
 */
export const startDuty = async (config: Config, duty: Duty, options: DutyOptions, output: Output): Promise<number> => {
  if (!isCluster(config)) {
    throw new OperatorError(
      `uptrail ${duty} is one process of a cluster and requires EVENTSTOREDB_URL and MONGODB_URL. On a single machine, run uptrail serve instead.`,
    );
  }
  const { names = [], regions, types } = options;
  return serve(config, output, {
    ...EVERYTHING,
    duties: new Set([duty]),
    projections: names.length === 0 ? EVERYTHING.projections : names.map(findProjection),
    regions: regions ? [...new Set(regions.map(regionNamed))] : null,
    types: types ? types.map(typeNamed) : TYPES,
  });
};

const regionNamed = (name: string): Region => {
  const region = regionOf(name);
  if (!region || isPrivate(region)) throw new OperatorError(`The region "${name}" does not exist.`);
  return region;
};

const typeNamed = (name: string): CheckTypeName => {
  if (TYPES.includes(name)) return name;
  throw new OperatorError(`This release cannot run checks of type "${name}", only ${TYPES.join(', ')}.`);
};
