import { interval } from 'rxjs';
import type { TakeEffect } from '../../api/key-source.ts';
import { createMutex } from '../../domain/concurrency/mutex.ts';
import type { Coordination } from '../../stores/coordination/port.ts';

/** Interval at which an API process announces its position, milliseconds. */
const BEAT_MS = 2_000;

const PREFIX = 'api:';

/** The entry with the position of the log `main` that API processes must apply immediately. */
const REVOKED = 'revoked';

const positionIn = (text: string | null): bigint => BigInt(text ?? '');

/** Asks all API processes to apply the log `main` up to a position, and to confirm it. */
export const requestRevocation = async (
  coordination: Pick<Coordination, 'read' | 'write'>,
  position: bigint,
): Promise<void> => {
  if (positionIn(await coordination.read(REVOKED)) < position) await coordination.write(REVOKED, position.toString());
};

/** Withdraws the request, so that later processes don't find it. Other waiting callers repeat theirs. */
export const withdrawRevocationRequest = (coordination: Pick<Coordination, 'write'>): Promise<void> =>
  coordination.write(REVOKED, '');

export interface ApiPresenceOptions {
  coordination: Pick<Coordination, 'read' | 'write'>;
  /** distinguishes this process from others */
  identity: string;
  takeEffect: TakeEffect;
  /** milliseconds between announcements */
  interval?: number;
}

/**
 * Announces immediately and every few seconds up to which position API key changes are in effect in this process, and
 * applies positions requested by commands.
 *
 * @returns after the first announcement: stops the announcements and withdraws the last one
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
    // The next announcement makes up for a failed one.
    serialized(announce).catch(() => undefined);
  });
  return async () => {
    beats.unsubscribe();
    await serialized(() => coordination.write(name, ''));
  };
};

/** An API process and its last announcement; a live process renews it every few seconds. */
export interface AnnouncedApi {
  identity: string;
  /** the log position up to which changes are in effect there */
  position: bigint;
  count: number;
}

/** The last announcements of the API processes of a cluster, including killed processes. */
export const announcedApis = async (coordination: Pick<Coordination, 'readByPrefix'>): Promise<AnnouncedApi[]> =>
  (await coordination.readByPrefix(PREFIX))
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => {
      const { position, count } = JSON.parse(value) as { position: string; count: number };
      return { identity: name.slice(PREFIX.length), position: positionIn(position), count };
    });

/** Deletes the announcement of a silent API process. If it is alive after all, its next announcement restores it. */
export const forgetApi = (coordination: Pick<Coordination, 'write'>, identity: string): Promise<void> =>
  coordination.write(`${PREFIX}${identity}`, '');
