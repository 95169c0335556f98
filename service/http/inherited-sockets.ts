import { OperatorError } from '../operator-error.ts';

/** The first file descriptor that a service manager passes (SD_LISTEN_FDS_START, sd_listen_fds(3)). */
const FIRST = 3;

type Environment = Record<string, string | undefined>;

/**
 * Takes the listening sockets that a service manager has opened for this process (sd_listen_fds(3)). Removes the
 * variables from the environment, so that child processes do not use them. Node.js itself ensures that child processes
 * do not inherit the sockets.
 *
 * @param expected number of sockets on which this process listens
 * @returns their file descriptors; null: the process opens its sockets itself
 * @throws OperatorError the service manager has passed another number of sockets
 */
export const takeInheritedSockets = (environment: Environment, pid: number, expected: number): number[] | null => {
  const { LISTEN_PID, LISTEN_FDS } = environment;
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) Reflect.deleteProperty(environment, name);
  // The variables may have been meant for a parent process.
  if (LISTEN_FDS === undefined || LISTEN_PID !== pid.toString()) return null;
  if (!/^\d+$/.test(LISTEN_FDS)) throw new OperatorError(`LISTEN_FDS must be a number, not "${LISTEN_FDS}".`);
  const given = Number(LISTEN_FDS);
  if (given === 0) return null;
  if (given !== expected) {
    const wanted = expected === 1 ? 'one, for PORT' : 'two: the first for PORT, the second for METRICS_PORT';
    throw new OperatorError(
      `The socket unit passes ${given} sockets (LISTEN_FDS), but this process needs ${wanted}. Correct its ListenStream= lines.`,
    );
  }
  return Array.from({ length: given }, (_, index) => FIRST + index);
};
