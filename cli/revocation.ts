import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination } from '../stores/coordination/port.ts';
import { announcedApis, forgetApi, hasSeen, type KeysSeenText } from './api-presence.ts';
import type { Config } from './config.ts';
import { askService } from './operator-socket.ts';
import { isClusterSite, isServiceRunning, openCoordination, siteOf } from './site.ts';

/** All in milliseconds. */
export const REVOCATION_TIMINGS = {
  /** how long a process that lives may take to see what was revoked */
  patience: 20_000,
  /** an API process that says nothing more for so long is gone */
  silence: 10_000,
  /** between two looks */
  look: 100,
};

/**
 * Waits until all processes that answer requests know of what the log has at a position.
 *
 * @returns a sentence that says where it is not in effect; null when it is everywhere
 */
export const untilInEffect = async (config: Config, position: bigint): Promise<string | null> => {
  const site = siteOf(config);
  if (!isClusterSite(site)) {
    if (!isServiceRunning(site)) return null;
    const ask = async (): Promise<KeysSeenText | null> => (await askService(site, '/keys-seen')) as KeysSeenText | null;
    return untilServiceHasSeen(ask, position);
  }
  const coordination = await openCoordination(site);
  try {
    return await untilAllHaveSeen(coordination, position);
  } finally {
    await coordination.close();
  }
};

/** Asks the one service of this machine; null: it is at its start, and answers no requests yet. */
export const untilServiceHasSeen = async (
  ask: () => Promise<KeysSeenText | null>,
  position: bigint,
  timings: typeof REVOCATION_TIMINGS = REVOCATION_TIMINGS,
): Promise<string | null> => {
  const deadline = performance.now() + timings.patience;
  for (;;) {
    try {
      const said = await ask();
      if (!said || hasSeen(said, position)) return null;
    } catch (error) {
      return `the service that runs here could not be asked (${(error as Error).message})`;
    }
    if (performance.now() > deadline) return 'the service that runs here does not know of it yet';
    await sleep(timings.look);
  }
};

/** Looks at what the API processes of a cluster say of themselves; those that say nothing any more are gone. */
export const untilAllHaveSeen = async (
  coordination: Pick<Coordination, 'readUnder' | 'write'>,
  position: bigint,
  timings: typeof REVOCATION_TIMINGS = REVOCATION_TIMINGS,
): Promise<string | null> => {
  const began = performance.now();
  const heard = new Map<string, { count: number; at: number; alive: boolean }>();
  for (;;) {
    const now = performance.now();
    const behind: string[] = [];
    for (const said of await announcedApis(coordination)) {
      const before = heard.get(said.identity);
      if (before?.count !== said.count) {
        heard.set(said.identity, { count: said.count, at: now, alive: before !== undefined });
      }
      if (hasSeen(said, position)) continue;
      const { at, alive } = heard.get(said.identity) ?? { at: now, alive: true };
      if (now - at <= timings.silence) behind.push(said.identity);
      else if (!alive) await forgetApi(coordination, said.identity);
      // One that was alive a moment ago and is silent now may only have lost its way to the stores.
      else behind.push(said.identity);
    }
    if (behind.length === 0) return null;
    if (now - began > timings.patience) {
      return behind.length === 1
        ? `the API process ${behind[0] ?? ''} does not know of it yet`
        : `the API processes ${behind.join(', ')} do not know of it yet`;
    }
    await sleep(timings.look);
  }
};
