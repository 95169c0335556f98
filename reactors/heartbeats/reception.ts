import { isFields } from '../../domain/fields.ts';
import { notedReception, RECEPTION_NOTED_MS, type Reception } from '../../domain/heartbeat/reception.ts';
import type { Coordination } from '../../stores/coordination/port.ts';

const KEY = 'heartbeat-reception';

/** From when to when pings could be received; null: nobody has noted it. */
export const readReception = async (coordination: Pick<Coordination, 'read'>): Promise<Reception | null> => {
  const noted: unknown = JSON.parse((await coordination.read(KEY)) ?? 'null');
  if (!isFields(noted)) return null;
  const { since, until } = noted;
  return typeof since === 'number' && typeof until === 'number' ? { since, until } : null;
};

export interface NotingOptions {
  coordination: Pick<Coordination, 'read' | 'write'>;
  /** milliseconds since 1970 */
  clock: () => number;
  trouble: (error: unknown) => void;
  /** milliseconds between two notes; tests wait less */
  every?: number;
}

/**
 * Notes every few seconds that this process receives pings: nobody is late whose ping nobody could receive. Any number
 * of processes may do so.
 *
 * @returns ends it
 */
export const noteReception = async ({
  coordination,
  clock,
  trouble,
  every = RECEPTION_NOTED_MS,
}: NotingOptions): Promise<() => Promise<void>> => {
  const note = async (): Promise<void> => {
    try {
      const noted = notedReception(await readReception(coordination), clock());
      await coordination.write(KEY, JSON.stringify(noted));
    } catch (error) {
      trouble(error);
    }
  };
  await note();
  let underWay: Promise<void> | null = null;
  const timer = setInterval(() => {
    // A store that does not answer would have them pile up, and a stop wait for all of them.
    underWay ??= note().finally(() => {
      underWay = null;
    });
  }, every);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
};
