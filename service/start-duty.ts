import type { CheckTypeName } from '../domain/check/events.ts';
import { isPrivate, regionOf, type Region } from '../domain/check/regions.ts';
import { TYPES } from '../probes/index.ts';
import { isCluster, type Config } from './config/config.ts';
import type { Output } from './output.ts';
import { OperatorError } from './operator-error.ts';
import { EVERYTHING, type Duty } from './plan.ts';
import { projectionNamed } from './projection-named.ts';
import { serve } from './serve.ts';

export interface DutyOptions {
  /** read models of `project`; all when absent or empty */
  names?: readonly string[];
  /** ids or aliases of the regions of `run` */
  regions?: readonly string[];
  /** types of checks of `run`; all when absent */
  types?: readonly string[] | undefined;
}

/**
 * `uptrail api`, `site`, `project`, `schedule`, `run`: one of several processes.
 *
 * @returns the exit code, when all is closed
 * @throws OperatorError the processes would not see each other; there is no such read model, region or type
 */
export const startDuty = async (config: Config, duty: Duty, options: DutyOptions, output: Output): Promise<number> => {
  if (!isCluster(config)) {
    throw new OperatorError(
      `uptrail ${duty} is one of several processes and needs EVENTSTOREDB_URL and MONGODB_URL. On one machine uptrail serve does everything.`,
    );
  }
  const { names = [], regions, types } = options;
  return serve(config, output, {
    ...EVERYTHING,
    duties: new Set([duty]),
    projections: names.length === 0 ? EVERYTHING.projections : names.map(projectionNamed),
    regions: regions ? [...new Set(regions.map(regionNamed))] : null,
    types: types ? types.map(typeNamed) : TYPES,
  });
};

const regionNamed = (name: string): Region => {
  const region = regionOf(name);
  if (!region || isPrivate(region)) throw new OperatorError(`There is no region "${name}".`);
  return region;
};

const typeNamed = (name: string): CheckTypeName => {
  if (TYPES.includes(name)) return name;
  throw new OperatorError(`This release runs no checks of type "${name}", only ${TYPES.join(', ')}.`);
};
