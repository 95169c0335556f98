import { setTimeout as sleep } from 'node:timers/promises';
import { projectionKey, type AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import { DirectoryInUse, lockService } from '../../stores/service-lock.ts';
import { PROJECTIONS_SERVED, requestFromService, RequestNotSupported } from '../../service/command-socket.ts';
import type { DataDirectory } from '../../service/embedded/data-directory.ts';
import { OperatorError } from '../../service/operator-error.ts';

/** Lets engines start again. */
type LetIn = () => Promise<void>;

/** Locks the data directory. Returns null if a service holds the lock; only then projections are being updated. */
export const lockOut = async ({ path }: DataDirectory): Promise<LetIn | null> => {
  try {
    const lock = lockService(path);
    return async () => {
      lock.release();
    };
  } catch (error) {
    if (error instanceof DirectoryInUse) return null;
    throw error;
  }
};

/**
 * Time limits for acquiring a lease, in milliseconds. `FREE_MS` suffices if the lease is free, and `TAKEOVER_MS`
 * if its holder has died.
 */
const FREE_MS = 500;
const TAKEOVER_MS = 10_000;

/**
 * Acquires the lease that a process holds while it updates the projection. The first attempt is short: if a process
 * holds the lease, the command soon asks that process to switch to the new generation. Later attempts are longer,
 * because the lease of a dead process has to expire first.
 */
export const takeOver = (projection: AnyProjection, coordination: Coordination, signal: AbortSignal) => {
  let patience = FREE_MS;
  return async (): Promise<LetIn | null> => {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
    patience = TAKEOVER_MS;
    const lease = await coordination.acquire(`projection:${projectionKey(projection)}`, ended).catch(() => null);
    if (!lease) return null;
    // Release the lease immediately, because switching to the new generation acquires it again. If a service starts in
    // between, that service performs the switch.
    await lease.release();
    return async () => undefined;
  };
};

/**
 * Interval and maximum number of requests for the projection versions that a service keeps up to date. A service that
 * is still starting does not respond to the first of these requests.
 */
const ASK_EVERY_MS = 200;
const MAX_ATTEMPTS = 50;

/**
 * Locks the data directory against engines that keep a projection version up to date. A service of another release may
 * run, because it does not use this version. Returns null if the running service keeps the version up to date.
 *
 * @throws OperatorError the running service did not respond
 */
export const lockOutVersion = async (site: DataDirectory, projection: AnyProjection): Promise<LetIn | null> => {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const letIn = await lockOut(site);
    if (letIn) return letIn;
    try {
      const served = (await requestFromService(site, PROJECTIONS_SERVED)) as string[];
      return served.includes(projectionKey(projection)) ? null : async () => undefined;
    } catch (error) {
      if (error instanceof RequestNotSupported) return async () => undefined;
      // The service is starting or stopping.
      await sleep(ASK_EVERY_MS);
    }
  }
  throw new OperatorError('The running service did not say which read models it keeps up to date. Try again later.');
};
