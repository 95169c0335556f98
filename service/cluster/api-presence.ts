import { interval } from 'rxjs';
import type { TakeEffect } from '../../api/key-source.ts';
import { createMutex } from '../../domain/concurrency/mutex.ts';
import type { Coordination } from '../../stores/coordination/port.ts';

/** Interval in which an API process announces its position, in milliseconds. */
const BEAT_MS = 2_000;

const PREFIX = 'api:';

/** Name of the value with a log position. API processes must immediately apply the log `main` up to that position. */
const REVOKED = 'revoked';

const positionIn = (text: string | null): bigint => BigInt(text ?? '');

/** Asks all API processes to apply the log `main` up to a position, and to confirm it. */
export const requestRevocation = async (
  coordination: Pick<Coordination, 'read' | 'write'>,
  position: bigint,
): Promise<void> => {
  if (positionIn(await coordination.read(REVOKED)) < position) await coordination.write(REVOKED, position.toString());
};

/**
 * Withdraws the request, so that processes that start later don't find it. Other callers that are still waiting for a
 * confirmation make their requests again.
 */
export const withdrawRevocationRequest = (coordination: Pick<Coordination, 'write'>): Promise<void> =>
  coordination.write(REVOKED, '');

export interface ApiPresenceOptions {
  coordination: Pick<Coordination, 'read' | 'write'>;
  /** distinguishes this process from other processes */
  identity: string;
  takeEffect: TakeEffect;
  /** interval between announcements, in milliseconds */
  interval?: number;
}

/**
 * Announces up to which log position this process has applied changes of API keys. Repeats the announcement every few
 * seconds. Before each announcement, applies the log up to the position that commands have requested.
 *
 * @returns resolves after the first announcement, with a function that stops the announcements and withdraws the latest
 * one
 */
export const announceApi = async ({
  coordination,
  identity,
  takeEffect,
  interval: beat = BEAT_MS,
}: ApiPresenceOptions): Promise<() => Promise<void>> => {
  const name = `${PREFIX}${identity}`;
  let count = 0;
  const announce = async (): Promise<void> => {
    const inEffect = takeEffect(positionIn(await coordination.read(REVOKED)));
    await coordination.write(name, JSON.stringify({ position: inEffect.toString(), count: ++count }));
  };
  await announce();
  const serialized = createMutex();
  const beats = interval(beat).subscribe(() => {
    // If an announcement fails, the next one replaces it.
    serialized(announce).catch(() => undefined);
  });
  return async () => {
    beats.unsubscribe();
    await serialized(() => coordination.write(name, ''));
  };
};

/** An API process and its latest announcement. A live process renews its announcement every few seconds. */
export interface AnnouncedApi {
  identity: string;
  /** the log position up to which the process has applied changes */
  position: bigint;
  count: number;
}

/** Returns the latest announcements of all API processes of a cluster. Processes that were killed are included. */
export const announcedApis = async (coordination: Pick<Coordination, 'readByPrefix'>): Promise<AnnouncedApi[]> =>
  (await coordination.readByPrefix(PREFIX))
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => {
      const { position, count } = JSON.parse(value) as { position: string; count: number };
      return { identity: name.slice(PREFIX.length), position: positionIn(position), count };
    });

/**
 * Deletes the announcement of an API process that has become silent. If the process is still alive, its next
 * announcement restores the entry.
 */
export const forgetApi = (coordination: Pick<Coordination, 'write'>, identity: string): Promise<void> =>
  coordination.write(`${PREFIX}${identity}`, '');
