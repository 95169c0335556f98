/** A run of a check in one region, as it is queued for a worker. Contains only JSON values. */
export interface QueuedRun {
  /** hash(check, slot) for scheduled runs */
  run_id: string;
  /** the region's first alias, such as `eu-west1` */
  region: string;
  /** name of the queue, such as `eu-west1-synthetic`; default: the name of the region */
  queue?: string;
  /** expiry, milliseconds since 1970; a run that is delivered later is acknowledged and dropped */
  not_after: number;
  /** what the worker needs for the run */
  payload: object;
}

/** Information about the delivery of a run to a worker. */
export interface Delivery {
  /**
   * Returns whether another worker may have received the run too, so that its result may be stored already. The return
   * value can change during the run, so call this when the result is about to be stored.
   */
  mayBeRepeated: () => boolean;
}

/** Executes a run. Resolves when its result is stored. */
export type HandleRun = (run: QueuedRun, delivery: Delivery) => Promise<void>;

export class QueueFull extends Error {
  constructor(queue: string, limit: number) {
    super(`The queue of region ${queue} has ${limit} runs and accepts no more.`);
    this.name = 'QueueFull';
  }
}

export interface ConsumeOptions {
  /** number of runs handled concurrently */
  concurrency: number;
  /** ends the consumption; runs in flight are finished */
  signal: AbortSignal;
}

/** Returns the name of the queue for a run. */
export const queueOf = ({ region, queue }: Pick<QueuedRun, 'region' | 'queue'>): string => queue ?? region;

/**
 * Transports runs to workers at least once, as long as the queue exists. A queue may lose runs
 * (docs/develop/stores.md#work-queue).
 */
export interface WorkQueue {
  /** whether queued runs survive the end of the process that offered them */
  readonly isDurable: boolean;
  /** @throws QueueFull */
  offer(run: QueuedRun): Promise<void>;
  /**
   * Passes the runs of a queue to `handle`. If `handle` resolves, the run is acknowledged. If it rejects, the run is
   * retried, and parked after the last retry. Resolves when the signal has aborted and no run is in flight.
   */
  consume(queue: string, handle: HandleRun, options: ConsumeOptions): Promise<void>;
  depths(): Promise<{ queue: string; waiting: number; in_flight: number; parked: number }[]>;
  parked(queue: string): Promise<QueuedRun[]>;
  close(): Promise<void>;
}
