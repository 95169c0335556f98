import { isFields } from '../../domain/fields.ts';
import { recordedReception, RECEPTION_RECORDED_MS, type Reception } from '../../domain/heartbeat/reception.ts';
import type { Coordination } from '../../stores/coordination/port.ts';

const KEY = 'heartbeat-reception';

/** Reads the period in which pings could be received. Null if none is recorded. */
export const readReception = async (coordination: Pick<Coordination, 'read'>): Promise<Reception | null> => {
  const recorded: unknown = JSON.parse((await coordination.read(KEY)) ?? 'null');
  if (!isFields(recorded)) return null;
  const { since, until } = recorded;
  return typeof since === 'number' && typeof until === 'number' ? { since, until } : null;
};

export interface ReceptionOptions {
  coordination: Pick<Coordination, 'read' | 'write'>;
  /** Returns milliseconds since 1970. */
  clock: () => number;
  trouble: (error: unknown) => void;
  /** time between two records, in milliseconds; shorter in tests */
  every?: number;
}

/**
 * Records every few seconds that this process can receive pings. A heartbeat is not late if its ping was due while no
 * process could receive it. Several processes can record at the same time.
 *
 * @returns a function that ends the recording
 */
export const keepRecordingReception = async ({
  coordination,
  clock,
  trouble,
  every = RECEPTION_RECORDED_MS,
}: ReceptionOptions): Promise<() => Promise<void>> => {
  const record = async (): Promise<void> => {
    try {
      const recorded = recordedReception(await readReception(coordination), clock());
      await coordination.write(KEY, JSON.stringify(recorded));
    } catch (error) {
      trouble(error);
    }
  };
  await record();
  let underWay: Promise<void> | null = null;
  const timer = setInterval(() => {
    // Start no write before the previous one has ended. If the store does not respond, writes would pile up, and the
    // shutdown would wait for all of them.
    underWay ??= record().finally(() => {
      underWay = null;
    });
  }, every);
  return async () => {
    clearInterval(timer);
    await underWay;
  };
};
