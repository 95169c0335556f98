import { interval } from 'rxjs';
import type { KeysSeen } from '../api/key-source.ts';
import type { Coordination } from '../stores/coordination/port.ts';

/** How often an API process says what it has seen, milliseconds. */
const BEAT_MS = 2_000;

const PREFIX = 'api:';

/** {@link KeysSeen} as it is written down. */
export interface KeysSeenText {
  position: string;
  followed: boolean;
}

export const keysSeenText = ({ position, followed }: KeysSeen): KeysSeenText => ({
  position: position.toString(),
  followed,
});

/** Whether what the log has at a position is in effect where that was said. */
export const hasSeen = ({ position, followed }: KeysSeenText, wanted: bigint): boolean =>
  !followed || BigInt(position) >= wanted;

export interface PresenceOptions {
  coordination: Pick<Coordination, 'write'>;
  /** what tells this process from others */
  identity: string;
  seen: () => KeysSeen;
  /** milliseconds between beats */
  beat?: number;
}

/**
 * Says now and every few seconds which API keys this process knows of.
 *
 * @returns ends it, and takes it back; once it was said for the first time
 */
export const announceApi = async ({
  coordination,
  identity,
  seen,
  beat = BEAT_MS,
}: PresenceOptions): Promise<() => Promise<void>> => {
  const name = `${PREFIX}${identity}`;
  let count = 0;
  const say = (): Promise<void> =>
    coordination.write(name, JSON.stringify({ ...keysSeenText(seen()), count: ++count }));
  await say();
  let last: Promise<unknown> = Promise.resolve();
  const beats = interval(beat).subscribe(() => {
    // One that fails is made up for by the next.
    last = last.then(say).catch(() => undefined);
  });
  return async () => {
    beats.unsubscribe();
    await last;
    await coordination.write(name, '');
  };
};

/** An API process, and the last that it said; a process that lives says something else every few seconds. */
export interface AnnouncedApi extends KeysSeenText {
  identity: string;
  count: number;
}

/** What the API processes of a cluster say, those that were killed included. */
export const announcedApis = async (coordination: Pick<Coordination, 'readUnder'>): Promise<AnnouncedApi[]> =>
  (await coordination.readUnder(PREFIX))
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => ({
      ...(JSON.parse(value) as Omit<AnnouncedApi, 'identity'>),
      identity: name.slice(PREFIX.length),
    }));

/** Forgets an API process that says nothing any more. Should it live all the same, its next beat makes up for it. */
export const forgetApi = (coordination: Pick<Coordination, 'write'>, identity: string): Promise<void> =>
  coordination.write(`${PREFIX}${identity}`, '');
