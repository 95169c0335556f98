/** A run of a check in one region, on its way to a worker. JSON. */
export interface QueuedRun {
  /** hash(check, slot) for scheduled runs */
  run_id: string;
  /** the region's first alias, such as `eu-west1` */
  region: string;
  /** the queue that it waits in, such as `eu-west1-synthetic`; absent: that of its region, which has its name */
  queue?: string;
  /** milliseconds since 1970; a message delivered later is acknowledged and dropped */
  not_after: number;
  /** what the worker needs to run it */
  payload: object;
}

/** What is known about how a run came to a worker. */
export interface Delivery {
  /**
   * Whether another worker may have had the run too, or has it now: then its result may be stored already. Ask when
   * the result is about to be stored, since this can change while the run is under way.
   */
  mayBeRepeated: () => boolean;
}

/** What a worker does with a run. */
export type HandleRun = (run: QueuedRun, delivery: Delivery) => Promise<void>;

export class QueueFull extends Error {
  constructor(queue: string, limit: number) {
    super(`The queue of region ${queue} holds ${limit.toString()} runs and accepts no more.`);
    this.name = 'QueueFull';
  }
}

export interface ConsumeOptions {
  /** how many runs are handled at once */
  concurrency: number;
  /** ends the consumption; runs in flight finish */
  signal: AbortSignal;
}

/** The name of the queue that a run waits in. */
export const queueOf = ({ region, queue }: Pick<QueuedRun, 'region' | 'queue'>): string => queue ?? region;

/** Transport of runs to workers, at least once; it may forget (design.md: The ports). */
export interface WorkQueue {
  /** whether runs outlive the process that offered them, until a worker is done with them */
  readonly isDurable: boolean;
  /** @throws QueueFull */
  offer(run: QueuedRun): Promise<void>;
  /**
   * Hands the runs of a queue to `handle`; one that resolves is acknowledged, one that rejects is
   * retried and, after the last retry, parked. Resolves when the signal has aborted and nothing is
   * in flight.
   */
  consume(queue: string, handle: HandleRun, options: ConsumeOptions): Promise<void>;
  depths(): Promise<{ queue: string; waiting: number; in_flight: number; parked: number }[]>;
  parked(queue: string): Promise<QueuedRun[]>;
  close(): Promise<void>;
}
