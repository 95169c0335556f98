import type { Logger } from 'pino';
import type { Clock } from '../../network/clock.ts';
import type { RemoteRunnerObserver } from '../../runners/remote/remote-runner.ts';
import { createRunTroubles } from '../../runners/worker/run-troubles.ts';

/** Minimum time between two log lines about results that were rejected for the same reason, in milliseconds. */
const REPEAT_MS = 60_000;

export interface RunnerLog extends RemoteRunnerObserver {
  /** Called when results on disk were dropped. `bytes` is their total size. */
  dropped: (bytes: number) => void;
  /** Called when the spool can't be read or written. */
  spoolTrouble: (error: unknown) => void;
  stop: () => void;
}

/**
 * Creates a log of the problems of a remote runner. Each problem is logged once. It is logged again only if it changes,
 * or if it recurs after it was solved.
 */
export const createRunnerLog = (logger: Logger, clock: Pick<Clock, 'after'>, server: URL): RunnerLog => {
  const troubles = createRunTroubles(logger, clock);
  const logged = new Map<string, () => void>();
  let failure: string | null = null;
  let region = '';

  const once = (what: string, log: () => void): void => {
    if (logged.has(what)) return;
    logged.set(
      what,
      clock.after(REPEAT_MS, () => logged.delete(what)),
    );
    log();
  };

  return {
    connected: ({ runner }) => {
      failure = null;
      ({ region } = runner);
      logger.info({ server: server.origin, region, runner: runner.name }, 'connected: running checks of the region');
    },
    lost: (reason) => {
      failure = reason;
      logger.warn({ reason }, 'the connection to the service is lost');
    },
    failed: (reason, milliseconds) => {
      if (reason === failure) return;
      failure = reason;
      const seconds = Math.round(milliseconds / 100) / 10;
      logger.warn({ reason, server: server.origin, seconds }, 'the service is unreachable; retrying');
    },
    revoked: (reason) => {
      once('revoked', () => {
        logger.error({ reason }, 'the token is no longer valid: no checks run; retrying once a minute');
      });
    },
    offline: (checks) => {
      logger.warn(
        { checks },
        'checks continue without the service; their results are stored on disk until it is reachable',
      );
    },
    offlineOver: () => {
      logger.warn('RUNNER_OFFLINE_MINUTES have passed: no checks run until the service is reachable');
    },
    refused: (reason) => {
      once(reason, () => {
        logger.warn({ reason }, 'the service rejected a result; further ones for this reason are not logged');
      });
    },
    trouble: ({ check_id }, error) => {
      troubles.report({ run_id: check_id ?? 'none', region }, error);
    },
    dropped: (bytes) => {
      once('dropped', () => {
        logger.error({ bytes }, 'RUNNER_SPOOL_MB is exceeded: the oldest results were removed, and are lost');
      });
    },
    spoolTrouble: (error) => {
      once('spool', () => {
        logger.error({ err: error }, 'results cannot be stored on disk, and may be lost');
      });
    },
    stop: () => {
      troubles.stop();
      for (const cancel of logged.values()) cancel();
    },
  };
};
