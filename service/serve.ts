import type { Config } from './config/config.ts';
import { tooFewDescriptors } from './embedded/descriptors.ts';
import { firstStartupMessage, startupMessage, isFirstStart } from './startup-message.ts';
import { takeInheritedSockets } from './http/inherited-sockets.ts';
import type { Output } from './output.ts';
import { EVERYTHING, type Plan } from './plan.ts';
import { openProcessLog } from './process-log.ts';
import { startService } from './service.ts';
import { stopSignal } from './stop-signals.ts';

/** Time limit of a stop, in milliseconds. When it has passed, the process ends anyway. */
const STOP_TIMEOUT = 20_000;

/**
 * Runs `uptrail serve`, or a process with only one of the duties, until SIGTERM or SIGINT. The first signal causes a
 * clean stop, and a second one ends the process immediately. Messages for the operator are written to `output`, and the
 * process log to stderr.
 *
 * @returns the exit code; resolves when everything is closed
 */
export const serve = async (config: Config, output: Output, plan: Plan = EVERYTHING): Promise<number> => {
  // Child processes must not see these variables, so they are taken first.
  const sockets = takeInheritedSockets(process.env, process.pid, config.metricsPort === null ? 1 : 2);
  const { logger, flush } = openProcessLog(config.logLevel);
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
  const tooFew = tooFewDescriptors(config);
  if (tooFew !== null) logger.warn(tooFew);

  const service = await startService(config, logger, { ...plan, sockets });
  const isFirst = output.terminal && plan.duties.has('api') && isFirstStart(service);
  await output.line(isFirst ? firstStartupMessage(service, config) : startupMessage(service));
  if (service.adminKey.kind === 'revoked') {
    logger.warn('ADMIN_API_KEY names a revoked key; it is rejected.');
  }
  const reason = await Promise.race([stopRequested, service.failed]);
  if (reason instanceof Error) logger.fatal({ err: reason }, 'the service cannot continue');
  else logger.info({ signal: reason }, 'stopping');
  const timer = setTimeout(() => {
    const error = new Error(
      `Stopping took longer than ${STOP_TIMEOUT} ms, because of ${service.closing() ?? 'an unknown part'}.`,
    );
    die(error, 'ended without a clean stop');
  }, STOP_TIMEOUT);
  await service.stop();
  clearTimeout(timer);
  logger.info('stopped');
  flush();
  return reason instanceof Error ? 1 : 0;
};
