import { randomBytes } from 'node:crypto';
import { timeLimitOf } from '../../domain/check/run.ts';
import type { Clock } from '../../network/clock.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import { RunAborted, type Outcome, type RunnableCheck } from '../../probes/engine/check-type.ts';
import { KillsItsProcess, type ProbeContext } from '../../runners/probes.ts';
import { messageOf } from '../../runners/run-message.ts';
import type { Ended, Order } from '../../runners/remote/protocol.ts';
import type { WorkQueue } from '../../stores/work-queue/port.ts';
import type { Orders } from './orders.ts';
import { validatedOutcome, producesFiles } from './outcomes.ts';
import type { KnownRunner } from '../../api/runner-source.ts';
import { scheduleOf, type Tickets } from './tickets.ts';

/** Time after the time limit of a run within which a runner has to report the result, in milliseconds. */
const REPORT_GRACE_MS = 15_000;

/** A run that was handed to a runner. */
interface Delivery {
  runId: string;
  order: Order;
  leavesFiles: boolean;
  /** Ends the delivery because its result is no longer needed. */
  abort: () => void;
  take: (ended: Ended) => void;
  /** resolves when the result is stored, or when it is certain that it will not be stored */
  handled: Promise<void>;
}

export interface DeliveriesOptions {
  runner: KnownRunner;
  orders: Pick<Orders, 'send' | 'withdraw'>;
  tickets: Tickets;
  clock: Clock;
}

/** The runs that were handed to a runner and have not ended yet. */
export interface Deliveries {
  /**
   * Hands over a run.
   *
   * @returns the outcome of the run, like `Probes.run`
   */
  run: (check: RunnableCheck, asked: ProbeContext) => Promise<Outcome>;
  /** Wraps a queue, so that `take` can wait until the handler of a run has finished. */
  tracking: (queue: WorkQueue) => Pick<WorkQueue, 'consume' | 'offer'>;
  has: (delivery: string) => boolean;
  /** Returns whether the run of a delivery may produce files. */
  leavesFiles: (delivery: string) => boolean;
  /**
   * Accepts the result of a delivery.
   *
   * @returns null if the result is not awaited, or no longer awaited. Otherwise a promise that resolves when the result
   * is stored, or when it is certain that it will not be stored
   */
  take: (delivery: string, ended: Ended) => Promise<void> | null;
  /** Ends the deliveries of a run whose result was stored by another process. */
  endRun: (runId: string) => void;
  orders: () => Order[];
  /** Tells the runner to forget the definition of a check, if a scheduled run of the check was handed to the runner. */
  forget: (checkId: string) => void;
}

/**
 * Maximum size of the list of checks whose definitions this process has handed to the runner. The runner remembers a
 * definition for at least ten minutes.
 */
const MAX_REMEMBERED = 50_000;

export const createDeliveries = ({ runner, orders, tickets, clock }: DeliveriesOptions): Deliveries => {
  const deliveries = new Map<string, Delivery>();
  /** promises of the queue handlers in progress, by run id */
  const handled = new Map<string, Promise<void>>();
  /** ids of checks whose definitions the runner remembers, in the order of their most recent hand-over */
  const remembered = new Set<string>();
  const remember = (checkId: string): void => {
    remembered.delete(checkId);
    remembered.add(checkId);
    const [oldest] = remembered;
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  };

  const following: Deliveries['tracking'] = (queue) => ({
    offer: (offered) => queue.offer(offered),
    consume: (name, handle, options) =>
      queue.consume(
        name,
        (run, delivery) => {
          let done = (): void => undefined;
          const whenDone = new Promise<void>((resolve) => (done = resolve));
          handled.set(run.run_id, whenDone);
          return handle(run, delivery).finally(() => {
            if (handled.get(run.run_id) === whenDone) handled.delete(run.run_id);
            done();
          });
        },
        options,
      ),
  });

  const run: Deliveries['run'] = async (check, { signal, fresh, run: queued }) => {
    if (!queued) throw new LocalFailure('A remote runner accepts only runs of a queue.');
    const message = messageOf(queued);
    const ticket = await tickets.issue(queued, runner);
    if (signal.aborted) throw new RunAborted();
    const delivery = randomBytes(12).toString('base64url');
    const { check_id, slot } = message;
    const schedule = scheduleOf(message);
    if (schedule && check_id !== null) remember(check_id);
    const order: Order = {
      kind: 'run',
      run: { delivery, ticket, check_id, check, fresh, slot, not_after: queued.not_after, schedule },
    };
    return new Promise<Outcome>((resolve, reject) => {
      const over = (): void => {
        cancelLate();
        signal.removeEventListener('abort', abort);
        deliveries.delete(delivery);
        orders.withdraw(order);
      };
      const abort = (): void => {
        over();
        orders.send({ kind: 'cancel', delivery });
        reject(new RunAborted());
      };
      const cancelLate = clock.after(timeLimitOf(message.definition) + REPORT_GRACE_MS, () => {
        over();
        reject(new LocalFailure('The runner did not report the run in time.'));
      });
      signal.addEventListener('abort', abort, { once: true });
      deliveries.set(delivery, {
        runId: queued.run_id,
        order,
        leavesFiles: producesFiles(check.type),
        abort,
        handled: handled.get(queued.run_id) ?? Promise.resolve(),
        take: (ended) => {
          over();
          if ('outcome' in ended) resolve(validatedOutcome(ended.outcome, check.type));
          else if ('killed' in ended) reject(new KillsItsProcess(ended.killed));
          else if ('trouble' in ended) reject(new LocalFailure(ended.trouble));
          else reject(new LocalFailure('The runner has returned the run.'));
        },
      });
      orders.send(order);
    });
  };

  return {
    run,
    tracking: following,
    has: (delivery) => deliveries.has(delivery),
    leavesFiles: (delivery) => deliveries.get(delivery)?.leavesFiles ?? false,
    take: (delivery, ended) => {
      const known = deliveries.get(delivery);
      if (!known) return null;
      known.take(ended);
      return known.handled;
    },
    endRun: (runId) => {
      for (const delivery of [...deliveries.values()]) if (delivery.runId === runId) delivery.abort();
    },
    orders: () => [...deliveries.values()].map(({ order }) => order),
    forget: (check_id) => {
      if (remembered.delete(check_id)) orders.send({ kind: 'forget', check_id });
    },
  };
};
