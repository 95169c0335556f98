/** A run of a check in one region, on its way to a worker. JSON. */
export interface QueuedRun {
  /** hash(check, slot) for scheduled runs */
  run_id: string;
  /** the region's first alias, such as `eu-west1` */
  region: string;
  /** its queue, such as `eu-west1-synthetic`; default: the queue named after its region */
  queue?: string;
  /** milliseconds since 1970; a message delivered later is acknowledged and dropped */
  not_after: number;
  /** what the worker needs to run it */
  payload: object;
}

/** What is known about how a run reached a worker. */
export interface Delivery {
  /**
   * Whether another worker may have received the run too: then its result may be stored already. Call this when the
   * result is about to be stored, since it can change while the run is in progress.
   */
  mayBeRepeated: () => boolean;
}

/** The function with which a worker runs a run. */
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
  /** ends the consumption; runs in flight finish */
  signal: AbortSignal;
}

/** The name of the queue for a run. */
export const queueOf = ({ region, queue }: Pick<QueuedRun, 'region' | 'queue'>): string => queue ?? region;

/** Transport of runs to workers, at least once; it may forget (docs/develop/stores.md#work-queue). */
export interface WorkQueue {
  /** whether runs outlive the process that offered them, until a worker has handled them */
  readonly isDurable: boolean;
  /** @throws QueueFull */
  offer(run: QueuedRun): Promise<void>;
  /**
   * Passes the runs of a queue to `handle`. A run is acknowledged if it resolves, retried if it rejects and, after the
   * last retry, parked. Resolves when the signal has aborted and nothing is in flight.
   */
  consume(queue: string, handle: HandleRun, options: ConsumeOptions): Promise<void>;
  depths(): Promise<{ queue: string; waiting: number; in_flight: number; parked: number }[]>;
  parked(queue: string): Promise<QueuedRun[]>;
  close(): Promise<void>;
}
