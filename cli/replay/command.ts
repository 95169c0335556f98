import type { Config } from '../../service/config/config.ts';
import { interruptionSignal } from '../interruption.ts';
import type { Output } from '../../service/output.ts';
import { replay, type ReplayOptions } from './replay.ts';
import { openRawLog, siteOf } from '../../service/stores.ts';

/**
 * `uptrail replay`: prints events of a log in the configured deployment, until the end of the log or an interruption.
 *
 * @throws OperatorError
 */
export const runReplay = async (
  config: Config,
  log: 'main' | 'results',
  options: Omit<ReplayOptions, 'signal'>,
  output: Output,
): Promise<void> => {
  const store = await openRawLog(siteOf(config), log, 'reader');
  try {
    await replay(store, { ...options, signal: interruptionSignal() }, output);
  } finally {
    await store.close();
  }
};
