import { RunnerRejected } from '../../runners/remote/connection.ts';
import { createShutdown } from '../shutdown.ts';
import { OperatorError } from '../operator-error.ts';
import type { Output } from '../output.ts';
import { openProcessLog } from '../process-log.ts';
import { stopSignal } from '../stop-signals.ts';
import type { RemoteRunSettings } from './settings.ts';
import { openRemoteRun } from './start.ts';

/** Time limit of a stop, in milliseconds. When it has passed, the process ends anyway. */
const STOP_TIMEOUT_MS = 9_500;

/**
 * Runs `uptrail run --server`: executes the checks that a remote service hands over, until SIGTERM or SIGINT.
 *
 * @param release version of this program
 * @returns the exit code; resolves when everything is closed
 * @throws OperatorError the runner can't start, or the service rejects it
 */
export const runRemotely = async (settings: RemoteRunSettings, release: string, output: Output): Promise<number> => {
  const { logger, flush } = openProcessLog(settings.config.logLevel);
  const die = (error: unknown, what: string): void => {
    logger.fatal({ err: error }, what);
    flush();
    process.exit(1);
  };
  process.on('uncaughtException', (error) => {
    die(error, 'an unexpected error');
  });
  process.on('unhandledRejection', (error) => {
    die(error, 'an unexpected rejection');
  });
  const stopRequested = stopSignal({
    source: process,
    now: () => performance.now(),
    end: () => {
      process.exit(1);
    },
  });
  if (settings.isTokenVisible)
    logger.warn(
      '--token is visible to every user of this machine (ps); use UPTRAIL_RUNNER_TOKEN or --token-file instead',
    );
  const closing = createShutdown((name, error) => {
    logger.error({ err: error }, `${name} could not be closed`);
  });
  try {
    const runner = await openRemoteRun({ settings, release, logger, closing });
    await output.line(`This runner takes checks from ${settings.server.href}`);
    const signal = await Promise.race([stopRequested, runner.run()]);
    if (signal !== undefined) logger.info({ signal }, 'stopping');
    return 0;
  } catch (error) {
    throw error instanceof RunnerRejected ? new OperatorError(error.message) : error;
  } finally {
    const timer = setTimeout(() => {
      die(
        new Error(`Stopping took too long, because of ${closing.current() ?? 'an unknown part'}.`),
        'ended without a clean stop',
      );
    }, STOP_TIMEOUT_MS);
    await closing.close();
    clearTimeout(timer);
    logger.info('stopped');
    flush();
  }
};
