import { instantOf } from '../../domain/time.ts';
import { titleOfQueue } from '../../runners/queue-names.ts';
import { messageOf } from '../../runners/run-message.ts';
import { explanationOf } from '../../stores/connection-diagnosis.ts';
import { RightMissing } from '../../stores/eventstoredb/rights.ts';
import type { QueuedRun, WorkQueue } from '../../stores/work-queue/port.ts';

/** The content of the queue of a region. */
export interface RegionQueue {
  /** id of the region. For a check type with a queue of its own, the type follows: `EU, West (synthetic)` */
  region: string;
  waiting: number;
  in_flight: number;
  /** number of runs that could not be executed or stored after all attempts */
  parked_count: number;
  /** the newest parked runs; null if the user of the event store is not allowed to read them */
  parked: ParkedRun[] | null;
}

/** A parked run, for display. It contains what identifies the run, but not the definition of the check. */
export interface ParkedRun {
  run_id: string;
  check_id: string | null;
  execution_id: string | null;
  type: string;
  /** when the run was due */
  slot: string;
}

/**
 * Reads the queues of all regions.
 *
 * @param refused called with a sentence if the user is not allowed to read parked runs
 */
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
