import type { Config } from '../../service/config/config.ts';
import { formatSize } from '../format-size.ts';
import { interruptionSignal } from '../interruption.ts';
import type { Output } from '../../service/output.ts';
import { replay, type ReplayOptions } from './replay.ts';
import { openRawLog, siteOf } from '../../service/stores.ts';

export interface ReplayCommand extends Omit<ReplayOptions, 'signal'> {
  log: 'main' | 'results';
  /** file to write instead of printing */
  into?: string | undefined;
}

/**
 * `uptrail replay`: prints events of a log in the configured deployment, until the end of the log or an interruption;
 * or writes them to a file.
 *
 * @throws OperatorError
 */
export const runReplay = async (
  config: Config,
  { log, into, ...options }: ReplayCommand,
  output: Output,
): Promise<void> => {
  const store = await openRawLog(siteOf(config), log, 'reader');
  const signal = interruptionSignal();
  try {
    if (into === undefined) {
      await replay(store, { ...options, signal }, output);
      return;
    }
    const { replayInto } = await import('./into.ts');
    const { events, file } = await replayInto(store, { ...options, file: into, clock: Date.now, signal });
    await output.line(`${into}: ${events} events, ${formatSize(file.bytes)}, SHA-256 ${file.sha256}.`);
  } finally {
    await store.close();
  }
};
