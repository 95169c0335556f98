import type { Costs } from './costs.ts';
import { capacityOf, deploymentsOf, utilisationOf, type Deployment } from './deployments.ts';
import type { Trial } from './stored-trials.ts';
import { simulate, type Simulated } from './simulation.ts';
import { DAY_SECONDS } from '../../domain/time.ts';

/** A load to test on a deployment in virtual time. */
export interface Load extends Omit<Trial, 'deployment' | 'simulated'> {
  deployment: Deployment;
}

const INTERVAL = 60;
/** The largest load of the comparison (`STEPS` in tables.ts). */
const LARGEST = { checks: 1_000_000, results: 100_000_000 };
const SEED = 1;
/**
 * Virtual seconds before the measured period: an overload needs this time to make runs so late that they are missed.
 */
const WARM_UP = 25;

const loadOf = (deployment: Deployment, what: string, checks: number, interval: number): Load => {
  const [{ name, utilisation }] = utilisationOf(deployment, checks / interval);
  return { deployment, what, checks, interval, calculated: { name, utilisation: rounded(utilisation) } };
};

/**
 * Returns the loads to test: for each deployment, its capacity and twice its capacity; for a deployment that this
 * release does not support, the largest load.
 */
export const loadsOf = (costs: Costs): Load[] =>
  deploymentsOf(costs).flatMap((deployment) => {
    if (!deployment.isPossible) {
      const interval = (LARGEST.checks * DAY_SECONDS) / LARGEST.results;
      return [loadOf(deployment, 'the largest load', LARGEST.checks, interval)];
    }
    const checks = Math.floor(capacityOf(deployment).runs * INTERVAL);
    return [
      loadOf(deployment, 'what it carries', checks, INTERVAL),
      loadOf(deployment, 'twice that', 2 * checks, INTERVAL),
    ];
  });

/**
 * Tests a load.
 *
 * @param seconds virtual seconds of the measured period
 */
export const runTrial = async ({ deployment, ...load }: Load, seconds: number): Promise<Trial> => {
  const { checks, interval } = load;
  const simulated = await simulate({ deployment, checks, interval, seconds, warmUp: WARM_UP, seed: SEED });
  return { deployment: deployment.name, ...load, simulated: roundedAll(simulated) };
};

const rounded = (value: number): number => Math.round(value * 100) / 100;

const roundedAll = (simulated: Simulated): Simulated => {
  const whole = ({ p50, p99 }: Simulated['lag']) => ({ p50: Math.round(p50), p99: Math.round(p99) });
  const used = simulated.used.map(({ name, utilisation }) => ({ name, utilisation: rounded(utilisation) }));
  return {
    ...simulated,
    due: Math.round(simulated.due),
    stored: Math.round(simulated.stored),
    lateness: whole(simulated.lateness),
    lag: whole(simulated.lag),
    used: used as Simulated['used'],
  };
};
