import { interval } from 'rxjs';
import type { TakeEffect } from '../../api/key-source.ts';
import { createMutex } from '../../domain/mutex.ts';
import type { Coordination } from '../../stores/coordination/port.ts';

/** How often an API process announces what it has seen, milliseconds. */
const BEAT_MS = 2_000;

const PREFIX = 'api:';

/** API processes must apply at once what the log `main` holds up to the position under this name. */
const REVOKED = 'revoked';

const positionIn = (text: string | null): bigint => BigInt(text ?? '');

/** Asks all API processes to apply what the log `main` holds up to a position, and to confirm it. */
export const askToTakeEffect = async (
  coordination: Pick<Coordination, 'read' | 'write'>,
  position: bigint,
): Promise<void> => {
  if (positionIn(await coordination.read(REVOKED)) < position) await coordination.write(REVOKED, position.toString());
};

/** Withdraws the request, so that nothing is left for later processes. Callers that still wait ask again. */
export const askNoMore = (coordination: Pick<Coordination, 'write'>): Promise<void> => coordination.write(REVOKED, '');

export interface PresenceOptions {
  coordination: Pick<Coordination, 'read' | 'write'>;
  /** distinguishes this process from others */
  identity: string;
  takeEffect: TakeEffect;
  /** milliseconds between beats */
  beat?: number;
}

/**
 * Announces, now and every few seconds, up to which position changes of API keys are in effect in this process, and
 * applies what commands ask for.
 *
 * @returns after the first announcement: ends them and withdraws the last
 */
export const announceApi = async ({
  coordination,
  identity,
  takeEffect,
  beat = BEAT_MS,
}: PresenceOptions): Promise<() => Promise<void>> => {
  const name = `${PREFIX}${identity}`;
  let count = 0;
  const say = async (): Promise<void> => {
    const inEffect = takeEffect(positionIn(await coordination.read(REVOKED)));
    await coordination.write(name, JSON.stringify({ position: inEffect.toString(), count: ++count }));
  };
  await say();
  const inTurn = createMutex();
  const beats = interval(beat).subscribe(() => {
    // The next beat makes up for one that fails.
    inTurn(say).catch(() => undefined);
  });
  return async () => {
    beats.unsubscribe();
    await inTurn(() => coordination.write(name, ''));
  };
};

/** An API process and its last announcement; a live process makes a new one every few seconds. */
export interface AnnouncedApi {
  identity: string;
  /** the log up to this position is in effect there */
  position: bigint;
  count: number;
}

/** What the API processes of a cluster announced, including those that were killed. */
export const announcedApis = async (coordination: Pick<Coordination, 'readUnder'>): Promise<AnnouncedApi[]> =>
  (await coordination.readUnder(PREFIX))
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => {
      const { position, count } = JSON.parse(value) as { position: string; count: number };
      return { identity: name.slice(PREFIX.length), position: positionIn(position), count };
    });

/** Forgets an API process that is silent. If it is alive all the same, its next beat makes up for it. */
export const forgetApi = (coordination: Pick<Coordination, 'write'>, identity: string): Promise<void> =>
  coordination.write(`${PREFIX}${identity}`, '');
