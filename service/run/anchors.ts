import type { Logger } from 'pino';
import type { HealthPart } from '../../http/health.ts';
import type { Clock } from '../../network/clock.ts';
import { createAnchors, type Anchors } from '../../runners/worker/anchors.ts';
import type { Config } from '../config/config.ts';

interface AnchorsOptions {
  config: Pick<Config, 'runnerAnchors'>;
  clock: Clock;
  logger: Pick<Logger, 'warn' | 'info'>;
}

const CUT_OFF =
  'Most of RUNNER_ANCHORS are silent: this runner is cut off from its network, and results of failed checks are ignored.';

/**
 * Creates the anchors for the runs of this process. Logs when they become silent and when they respond again.
 *
 * @returns null if no anchors are configured
 */
export const startAnchors = ({ config, clock, logger }: AnchorsOptions): Anchors | null => {
  if (!config.runnerAnchors) return null;
  return createAnchors({
    anchors: config.runnerAnchors,
    clock,
    changed: (silent) => {
      if (silent) logger.warn(CUT_OFF);
      else logger.info('Most of RUNNER_ANCHORS respond again: results count as usual.');
    },
  });
};

/**
 * Returns the state of the anchors. Even if the anchors are silent, the runner stays ready, because it stores results
 * and its successful results count.
 */
export const anchorsPart = ({ last }: Pick<Anchors, 'last'>): HealthPart => {
  const state = last() ?? 'not asked';
  return { name: 'anchors', ready: true, state, lag_seconds: null, message: state === 'silent' ? CUT_OFF : null };
};
