import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination } from '../../stores/coordination/port.ts';
import {
  announcedApis,
  withdrawRevocationRequest,
  requestRevocation,
  forgetApi,
} from '../../service/cluster/api-presence.ts';
import type { Config } from '../../service/config/config.ts';
import { requestFromService, TAKE_EFFECT } from '../../service/command-socket.ts';
import { isClusterSite, isServiceRunning, openCoordination, siteOf } from '../../service/stores.ts';

/** Timings of a revocation, in milliseconds. */
export const REVOCATION_TIMINGS = {
  /** how long to wait until all processes have confirmed the revocation */
  patience: 20_000,
  /** an API process counts as ended if it sent nothing for this long */
  silence: 10_000,
  /** pause between two polls */
  poll: 100,
};

/**
 * Waits until every process that serves requests has applied the log `main` up to a position.
 *
 * @returns a sentence that names the processes which have not applied the position; null if all processes have applied
 * it
 */
export const waitUntilApplied = async (config: Config, position: bigint): Promise<string | null> => {
  const site = siteOf(config);
  if (!isClusterSite(site)) {
    if (!isServiceRunning(site)) return null;
    try {
      await requestFromService(site, `${TAKE_EFFECT}?position=${position}`);
      return null;
    } catch (error) {
      return `the service running here did not respond (${(error as Error).message})`;
    }
  }
  const coordination = await openCoordination(site);
  try {
    return await waitForApiProcesses(coordination, position);
  } finally {
    await withdrawRevocationRequest(coordination);
    await coordination.close();
  }
};

/**
 * Watches the positions that the API processes of a cluster announce. Processes that stopped announcing are ignored.
 *
 * @returns the same as {@link waitUntilApplied}
 */
export const waitForApiProcesses = async (
  coordination: Pick<Coordination, 'read' | 'readByPrefix' | 'write'>,
  position: bigint,
  timings: typeof REVOCATION_TIMINGS = REVOCATION_TIMINGS,
): Promise<string | null> => {
  const began = performance.now();
  const processes = new Map<string, { count: number; at: number; alive: boolean }>();
  for (;;) {
    await requestRevocation(coordination, position);
    const now = performance.now();
    const behind: string[] = [];
    for (const announcement of await announcedApis(coordination)) {
      const before = processes.get(announcement.identity);
      if (before?.count !== announcement.count) {
        processes.set(announcement.identity, { count: announcement.count, at: now, alive: before !== undefined });
      }
      if (announcement.position >= position) continue;
      const { at, alive } = processes.get(announcement.identity) ?? { at: now, alive: true };
      if (now - at <= timings.silence) behind.push(announcement.identity);
      else if (!alive) await forgetApi(coordination, announcement.identity);
      // The process announced itself while this command was waiting, and has been silent since then. The process may
      // have lost only its connection to the stores, so it must not be ignored.
      else behind.push(announcement.identity);
    }
    if (behind.length === 0) return null;
    if (now - began > timings.patience) {
      return behind.length === 1
        ? `the API process ${behind[0] ?? ''} has not applied the change yet`
        : `the API processes ${behind.join(', ')} have not applied the change yet`;
    }
    await sleep(timings.poll);
  }
};
