import type { Logger } from 'pino';
import type { Clock } from '../../network/clock.ts';
import type { RemoteRunnerObserver } from '../../runners/remote/remote-runner.ts';
import { createRunTroubles } from '../../runners/worker/run-troubles.ts';

/** A reason for which the service did not store results is told again after this. Milliseconds. */
const AGAIN_MS = 60_000;

export interface RunnerLog extends RemoteRunnerObserver {
  /** Results on disk were dropped; so many bytes. */
  dropped: (bytes: number) => void;
  /** The spool can't be written or read. */
  spoolTrouble: (error: unknown) => void;
  stop: () => void;
}

/** Tells in the log what a remote runner meets with: each trouble once, until it has passed or changed. */
export const createRunnerLog = (logger: Logger, clock: Pick<Clock, 'after'>, server: URL): RunnerLog => {
  const troubles = createRunTroubles(logger, clock);
  const told = new Map<string, () => void>();
  let failure: string | null = null;
  let region = '';

  const once = (what: string, tell: () => void): void => {
    if (told.has(what)) return;
    told.set(
      what,
      clock.after(AGAIN_MS, () => told.delete(what)),
    );
    tell();
  };

  return {
    connected: ({ runner }) => {
      failure = null;
      ({ region } = runner);
      logger.info({ server: server.origin, region, runner: runner.name }, 'connected: checks of the region run here');
    },
    lost: (reason) => {
      failure = reason;
      logger.warn({ reason }, 'the connection to the service is lost');
    },
    failed: (reason, milliseconds) => {
      if (reason === failure) return;
      failure = reason;
      const seconds = Math.round(milliseconds / 100) / 10;
      logger.warn({ reason, server: server.origin, seconds }, 'the service can not be reached; it is tried again');
    },
    revoked: (reason) => {
      once('revoked', () => {
        logger.error(
          { reason },
          'the token is not valid any more: nothing is run, and once a minute it is tried again',
        );
      });
    },
    offline: (checks) => {
      logger.warn({ checks }, 'checks go on without the service; their results are kept on disk until it is back');
    },
    offlineOver: () => {
      logger.warn('RUNNER_OFFLINE_MINUTES are over: no check is run until the service is back');
    },
    refused: (reason) => {
      once(reason, () => {
        logger.warn({ reason }, 'the service has not stored a result; others for this reason are not told of');
      });
    },
    trouble: ({ check_id }, error) => {
      troubles.tell({ run_id: check_id ?? 'of no check', region }, error);
    },
    dropped: (bytes) => {
      once('dropped', () => {
        logger.error({ bytes }, 'RUNNER_SPOOL_MB are full: the oldest results were removed, and are lost');
      });
    },
    spoolTrouble: (error) => {
      once('spool', () => {
        logger.error({ err: error }, 'results can not be kept on disk at present, and may be lost');
      });
    },
    stop: () => {
      troubles.stop();
      for (const cancel of told.values()) cancel();
    },
  };
};
