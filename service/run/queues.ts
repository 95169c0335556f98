import { instantOf } from '../../domain/time.ts';
import { titleOfQueue } from '../../runners/queue-names.ts';
import { messageOf } from '../../runners/run-message.ts';
import { explanationOf } from '../../stores/connection-diagnosis.ts';
import { RightMissing } from '../../stores/eventstoredb/rights.ts';
import type { QueuedRun, WorkQueue } from '../../stores/work-queue/port.ts';

/** The content of a region's queue. */
export interface RegionQueue {
  /** id of the region; for a type with its own queue followed by the type, as in `EU, West (synthetic)` */
  region: string;
  waiting: number;
  in_flight: number;
  /** how many runs could not be executed or stored after all attempts */
  parked_count: number;
  /** the newest parked runs; null if the user of the event store may not read them */
  parked: ParkedRun[] | null;
}

/** A parked run as displayed: only what identifies it, not its definition. */
export interface ParkedRun {
  run_id: string;
  check_id: string | null;
  execution_id: string | null;
  type: string;
  /** when it was due */
  slot: string;
}

/** Reads the queues of all regions. `refused` is called if the user may not read parked runs. */
export const readQueues = async (
  queue: Pick<WorkQueue, 'depths' | 'parked'>,
  refused: (sentence: string) => void = () => undefined,
): Promise<RegionQueue[]> => {
  const parkedIn = async (name: string): Promise<ParkedRun[] | null> => {
    try {
      return (await queue.parked(name)).map(parkedRun);
    } catch (error) {
      if (!(error instanceof RightMissing)) throw error;
      refused((await explanationOf(error)) ?? error.message);
      return null;
    }
  };
  return Promise.all(
    (await queue.depths()).map(async ({ queue: name, waiting, in_flight, parked }) => ({
      region: titleOfQueue(name),
      waiting,
      in_flight,
      parked_count: parked,
      parked: await parkedIn(name),
    })),
  );
};

const parkedRun = (run: QueuedRun): ParkedRun => {
  const { check_id, execution_id, slot, definition } = messageOf(run);
  return { run_id: run.run_id, check_id, execution_id, type: definition.type, slot: instantOf(slot) };
};
