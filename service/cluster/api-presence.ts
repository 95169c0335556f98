import { interval } from 'rxjs';
import type { TakeEffect } from '../../api/key-source.ts';
import { createMutex } from '../../domain/mutex.ts';
import type { Coordination } from '../../stores/coordination/port.ts';

/** How often an API process says what it has seen, milliseconds. */
const BEAT_MS = 2_000;

const PREFIX = 'api:';

/** What the log `main` has up to the position under this name is to be taken into effect by API processes at once. */
const REVOKED = 'revoked';

const positionIn = (text: string | null): bigint => BigInt(text ?? '');

/** Asks all API processes to take what the log `main` has up to a position into effect, as they say next. */
export const askToTakeEffect = async (
  coordination: Pick<Coordination, 'read' | 'write'>,
  position: bigint,
): Promise<void> => {
  if (positionIn(await coordination.read(REVOKED)) < position) await coordination.write(REVOKED, position.toString());
};

/** Takes back what was asked, so that nothing is left to those that come later. Who still waits asks again. */
export const askNoMore = (coordination: Pick<Coordination, 'write'>): Promise<void> => coordination.write(REVOKED, '');

export interface PresenceOptions {
  coordination: Pick<Coordination, 'read' | 'write'>;
  /** what tells this process from others */
  identity: string;
  takeEffect: TakeEffect;
  /** milliseconds between beats */
  beat?: number;
}

/**
 * Says now and every few seconds up to where what was done to API keys is in effect in this process, and lets that be
 * what commands ask for.
 *
 * @returns ends it, and takes it back; once it was said for the first time
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
    // One that fails is made up for by the next.
    inTurn(say).catch(() => undefined);
  });
  return async () => {
    beats.unsubscribe();
    await inTurn(() => coordination.write(name, ''));
  };
};

/** An API process, and the last that it said; a process that lives says something else every few seconds. */
export interface AnnouncedApi {
  identity: string;
  /** what the log has up to here is in effect there */
  position: bigint;
  count: number;
}

/** What the API processes of a cluster say, those that were killed included. */
export const announcedApis = async (coordination: Pick<Coordination, 'readUnder'>): Promise<AnnouncedApi[]> =>
  (await coordination.readUnder(PREFIX))
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => {
      const { position, count } = JSON.parse(value) as { position: string; count: number };
      return { identity: name.slice(PREFIX.length), position: positionIn(position), count };
    });

/** Forgets an API process that says nothing any more. Should it live all the same, its next beat makes up for it. */
export const forgetApi = (coordination: Pick<Coordination, 'write'>, identity: string): Promise<void> =>
  coordination.write(`${PREFIX}${identity}`, '');
