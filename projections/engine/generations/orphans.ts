import { setTimeout as sleep } from 'node:timers/promises';
import { interval, type Subscription } from 'rxjs';
import { createMutex } from '../../../domain/concurrency/mutex.ts';
import type { Coordination } from '../../../stores/coordination/port.ts';
import type { Generation, ReadStore, WriterLease } from '../../../stores/read-store/port.ts';

type Values = Pick<Coordination, 'read' | 'write'>;

const PREFIX = 'builder:';

const nameOf = ({ projection, number }: Generation): string => `${PREFIX}${projection}.${number}`;

/** Reads the newest heartbeats of all builds of a projection version. @param version name@version */
export const readBuildHeartbeats = async (
  values: Pick<Coordination, 'readByPrefix'>,
  version: string,
): Promise<string[]> =>
  (await values.readByPrefix(`${PREFIX}${version}.`)).map(({ value }) => value).filter((beat) => beat !== '');

/** Removes the heartbeat of a generation that was dropped. */
export const endBuildHeartbeat = async (values: Values, generation: Generation): Promise<void> => {
  if (await values.read(nameOf(generation))) await values.write(nameOf(generation), '');
};

/**
 * Sends a heartbeat every second while a generation is being built, so that other processes do not drop the generation
 * as an orphan. Must be called before the generation is created.
 *
 * @returns a function that ends the heartbeat; await it before closing the stores
 */
export const sendBuildHeartbeats = async (values: Values, generation: Generation): Promise<() => Promise<void>> => {
  let beat = 1;
  await values.write(nameOf(generation), beat.toString());
  const inTurn = createMutex();
  const beats: Subscription = interval(1_000).subscribe(() => {
    // A failed heartbeat does not matter, because the next one follows a second later.
    inTurn(() => values.write(nameOf(generation), (++beat).toString())).catch(() => undefined);
  });
  return async () => {
    beats.unsubscribe();
    await inTurn(() => values.write(nameOf(generation), ''));
  };
};

export interface OrphansOptions {
  /** name@version */
  projection: string;
  readStore: ReadStore;
  coordination: Values;
  /** Lease of the caller. Generations are only dropped while the lease is valid. */
  lease: WriterLease;
  /** Returns whether a generation is in use. Called just before the generation is dropped. */
  inUse: (number: number) => boolean;
  /** Runs an action. Until it ends, readers are not switched to another generation. Default: only runs the action. */
  undisturbed?: <T>(task: () => Promise<T>) => Promise<T>;
  /** If a builder has sent no heartbeat for this time, in milliseconds, it is considered dead. */
  silence: number;
  signal: AbortSignal;
}

/**
 * Drops orphans: generations that an interrupted build or switch has left behind. Generations that are being built are
 * not dropped.
 *
 * @throws StaleWriter if another process holds the lease now
 */
export const dropOrphans = async (options: OrphansOptions): Promise<Generation[]> => {
  const { projection, readStore, coordination, lease, inUse, silence, signal } = options;
  const undisturbed: NonNullable<OrphansOptions['undisturbed']> = options.undisturbed ?? ((task) => task());
  const own = (generation: Generation): boolean => generation.projection === projection && !inUse(generation.number);
  const found = await undisturbed(async () => (await readStore.list()).filter(own));
  const beats = await Promise.all(found.map((generation) => coordination.read(nameOf(generation))));
  if (beats.some(Boolean)) await sleep(silence, undefined, { signal, ref: false });
  const dropped: Generation[] = [];
  for (const [index, generation] of found.entries()) {
    const beat = await coordination.read(nameOf(generation));
    if (beat && beat !== beats[index]) continue;
    const isDropped = await undisturbed(async () => {
      if (signal.aborted || inUse(generation.number)) return false;
      await readStore.drop(generation, lease);
      return true;
    });
    if (!isDropped) continue;
    await endBuildHeartbeat(coordination, generation);
    dropped.push(generation);
  }
  return dropped;
};
