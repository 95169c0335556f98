import type { Config } from '../../service/config/config.ts';
import { interrupted } from '../interruption.ts';
import type { Output } from '../../service/output.ts';
import { replay, type ReplayOptions } from './replay.ts';
import { openRawLog, siteOf } from '../../service/stores.ts';

/** `uptrail replay` on the configured data directory, until the end or an interruption. @throws OperatorError */
export const replayHere = async (
  config: Config,
  log: 'main' | 'results',
  options: Omit<ReplayOptions, 'signal'>,
  output: Output,
): Promise<void> => {
  const store = await openRawLog(siteOf(config), log, 'reader');
  try {
    await replay(store, { ...options, signal: interrupted() }, output);
  } finally {
    await store.close();
  }
};
