import { setTimeout as sleep } from 'node:timers/promises';
import { interval, startWith, type Subscription } from 'rxjs';
import type { Coordination } from '../../stores/coordination/port.ts';
import type { Generation, ReadStore } from '../../stores/read-store/port.ts';

type Values = Pick<Coordination, 'read' | 'write'>;

const nameOf = ({ projection, number }: Generation): string => `builder:${projection}.${number.toString()}`;

/**
 * Says every second that somebody builds this generation, so that it is not taken for a leftover.
 *
 * @returns what ends it; to be awaited before the stores are closed
 */
export const keepBuilding = (values: Values, generation: Generation): (() => Promise<void>) => {
  let beat = 0;
  let last: Promise<unknown> = Promise.resolve();
  const beats: Subscription = interval(1_000)
    .pipe(startWith(0))
    .subscribe(() => {
      // One that fails is made up for by the next.
      last = values.write(nameOf(generation), (++beat).toString()).catch(() => undefined);
    });
  return async () => {
    beats.unsubscribe();
    await last;
    await values.write(nameOf(generation), '');
  };
};

export interface LeftoversOptions {
  /** name@version */
  projection: string;
  readStore: ReadStore;
  coordination: Values;
  /** whether a generation is in use, asked just before it is dropped */
  inUse: (number: number) => boolean;
  /** milliseconds after which a silent builder counts as gone */
  silence: number;
  signal: AbortSignal;
}

/** Drops generations that an interrupted build or switch has left over; those still being built stay. */
export const dropLeftovers = async (options: LeftoversOptions): Promise<Generation[]> => {
  const { projection, readStore, coordination, inUse, silence, signal } = options;
  const own = (generation: Generation): boolean => generation.projection === projection && !inUse(generation.number);
  const found = (await readStore.list()).filter(own);
  const beats = await Promise.all(found.map((generation) => coordination.read(nameOf(generation))));
  if (beats.some(Boolean)) await sleep(silence, undefined, { signal, ref: false });
  const dropped: Generation[] = [];
  for (const [index, generation] of found.entries()) {
    const beat = await coordination.read(nameOf(generation));
    if ((beat && beat !== beats[index]) || inUse(generation.number)) continue;
    await readStore.drop(generation);
    await coordination.write(nameOf(generation), '');
    dropped.push(generation);
  }
  return dropped;
};
