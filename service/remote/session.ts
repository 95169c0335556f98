import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { CheckServer } from '../../domain/check-result/events.ts';
import { derivedId } from '../../domain/identity.ts';
import { timeLimitOf } from '../../domain/check/run.ts';
import type { Region } from '../../domain/check/regions.ts';
import type { RunnerPresence } from '../../domain/runner/presence.ts';
import type { Clock } from '../../network/clock.ts';
import { OwnTrouble } from '../../network/own-trouble.ts';
import { RunAborted, type Outcome } from '../../probes/engine/check-type.ts';
import { KillsItsProcess, type Probes } from '../../runners/probes.ts';
import { messageOf } from '../../runners/run-message.ts';
import type { Ended, HandedRun, Hello, Order, Report } from '../../runners/remote/protocol.ts';
import type { WorkQueue } from '../../stores/work-queue/port.ts';
import { eventText } from '../../http/media/event-stream.ts';
import type { RegisteredRunner } from './registry.ts';
import { scheduleOf, type Tickets } from './tickets.ts';

/** A runner gets so long beyond the time limit of a run until its result is there, milliseconds. */
const REPORT_GRACE_MS = 15_000;
/** A runner that has not read so many bytes is too slow: its session ends, and its runs go to others. */
const MOST_UNREAD = 4_194_304;

interface Delivery {
  runId: string;
  /** Nobody waits for its result any more. */
  abort: () => void;
  order: Order;
  take: (ended: Ended) => void;
  /** resolves when the result is stored, or never will be */
  handled: Promise<void>;
}

export interface SessionOptions {
  runner: RegisteredRunner;
  region: Region;
  hello: Hello;
  /** where its requests come from */
  address: string | null;
  tickets: Tickets;
  clock: Clock;
}

/** Who reports results. */
export interface Reporter {
  readonly id: string;
  readonly runner: RegisteredRunner;
  /** what results say about the machine they come from */
  server: () => CheckServer;
  /** The runner was heard. */
  heard: (report?: Pick<Report, 'clock' | 'clock_offset_ms' | 'load'>) => void;
  /** Whether a delivery is under way. */
  has: (delivery: string) => boolean;
  /**
   * Takes the result of a delivery.
   *
   * @returns resolves when it is stored, or never will be; null: nobody waits for this delivery (any more)
   */
  take: (delivery: string, ended: Ended) => Promise<void> | null;
}

/** A runner whose session is in another process, to which a proxy has sent its report. */
export const reporterElsewhere = (
  id: string,
  runner: RegisteredRunner,
  region: Region,
  { address, clock_offset_ms }: { address: string | null; clock_offset_ms: number | null },
): Reporter => ({
  id,
  runner,
  server: () => serverOf(runner, region, address, clock_offset_ms),
  heard: () => undefined,
  has: () => false,
  take: () => null,
});

const serverOf = (
  runner: RegisteredRunner,
  region: Region,
  address: string | null,
  offset: number | null,
): CheckServer => ({
  id: derivedId(`check server ${runner.id} ${region.id}`),
  country: region.country,
  region: region.id,
  ip_address: address ?? '',
  server_metadata: {
    provider: 'self-hosted',
    runner: runner.name,
    ...(offset !== null && { clock_offset_ms: Math.round(offset) }),
  },
});

/** A connected runner, as the worker that takes its region's runs sees it. */
export interface Session extends Reporter {
  readonly region: Region;
  readonly hello: Hello;
  /** Runs checks by handing them over. */
  probes: Probes;
  /** The queue, whose runs are known to be handled when they are. */
  following: (queue: WorkQueue) => Pick<WorkQueue, 'consume' | 'offer'>;
  presence: () => RunnerPresence;
  /** Sends what there is to do in an answer that stays open; an earlier one ends. @param closed called when it is over */
  stream: (response: ServerResponse, closed: () => void) => void;
  /** The result of a run was stored by another process. */
  storedElsewhere: (runId: string) => void;
  isConnected: () => boolean;
  end: (reason: Extract<Order, { kind: 'end' }>['reason']) => void;
}

export const createSession = ({ runner, region, hello, address, tickets, clock }: SessionOptions): Session => {
  const id = randomBytes(18).toString('base64url');
  const deliveries = new Map<string, Delivery>();
  /** handlers of the queue under way, by the id of the run */
  const handled = new Map<string, Promise<void>>();
  let load: Report['load'] = { in_flight: 0, unsent: 0 };
  let offset: number | null = null;
  let lastContact = clock.now();
  let response: ServerResponse | null = null;
  let unsent: Order[] = [];
  let isFlushing = false;
  let wasStreaming = false;

  const flush = (): void => {
    isFlushing = false;
    if (!response || unsent.length === 0) return;
    const text = unsent.map((order) => eventText({ data: JSON.stringify(order) })).join('');
    unsent = [];
    if (response.writableLength > MOST_UNREAD) response.destroy();
    else response.write(text);
  };
  /** What is sent in one turn goes in one write. */
  const send = (order: Order): void => {
    unsent.push(order);
    if (isFlushing) return;
    isFlushing = true;
    setImmediate(flush);
  };

  const run: Probes['run'] = async (check, { signal, fresh, run: queued }) => {
    if (!queued) throw new OwnTrouble('A remote runner takes only runs of a queue.');
    const message = messageOf(queued);
    const ticket = await tickets.issue(queued, { id: runner.id, region: region.id });
    signal.throwIfAborted();
    const delivery = randomBytes(12).toString('base64url');
    const handed: HandedRun = {
      delivery,
      ticket,
      check_id: message.check_id,
      check,
      fresh,
      slot: message.slot,
      not_after: queued.not_after,
      schedule: scheduleOf(message),
    };
    return new Promise<Outcome>((resolve, reject) => {
      const over = (): void => {
        cancelLate();
        signal.removeEventListener('abort', abort);
        deliveries.delete(delivery);
        unsent = unsent.filter((order) => order.kind !== 'run' || order.run.delivery !== delivery);
      };
      const abort = (): void => {
        over();
        send({ kind: 'cancel', delivery });
        reject(new RunAborted());
      };
      const order: Order = { kind: 'run', run: handed };
      const cancelLate = clock.after(timeLimitOf(message.definition) + REPORT_GRACE_MS, () => {
        over();
        reject(new OwnTrouble('The runner did not report the run in time.'));
      });
      signal.addEventListener('abort', abort, { once: true });
      deliveries.set(delivery, {
        runId: queued.run_id,
        abort,
        order,
        handled: handled.get(queued.run_id) ?? Promise.resolve(),
        take: (ended) => {
          over();
          if ('outcome' in ended) resolve(ended.outcome);
          else if ('killed' in ended) reject(new KillsItsProcess(ended.killed));
          else if ('trouble' in ended) reject(new OwnTrouble(ended.trouble));
          else reject(new OwnTrouble('The runner has given the run back.'));
        },
      });
      send(order);
    });
  };

  return {
    id,
    runner,
    region,
    hello,
    probes: { types: hello.types, run },
    following: (queue) => ({
      offer: (offered) => queue.offer(offered),
      consume: (name, handle, options) =>
        queue.consume(
          name,
          (queued, delivery) => {
            let done = (): void => undefined;
            const whenDone = new Promise<void>((resolve) => (done = resolve));
            handled.set(queued.run_id, whenDone);
            return handle(queued, delivery).finally(() => {
              if (handled.get(queued.run_id) === whenDone) handled.delete(queued.run_id);
              done();
            });
          },
          options,
        ),
    }),
    server: () => serverOf(runner, region, address, offset),
    presence: () => ({
      runner_id: runner.id,
      instance: hello.instance,
      region: region.id,
      types: hello.types,
      lacking: hello.lacking,
      release: hello.release,
      address,
      in_flight: load.in_flight,
      capacity: hello.capacity,
      last_contact: lastContact,
      clock_offset_ms: offset,
    }),
    heard: (report) => {
      lastContact = clock.now();
      if (!report) return;
      load = report.load;
      offset = report.clock_offset_ms === null ? null : Math.round(report.clock_offset_ms);
    },
    stream: (opened, closed) => {
      const former = response;
      response = opened;
      former?.end();
      opened.once('close', () => {
        if (response === opened) response = null;
        closed();
      });
      // Nobody knows what of the last stream has arrived; a runner ignores a delivery that it has.
      if (former !== null || wasStreaming) unsent = [...deliveries.values()].map(({ order }) => order);
      wasStreaming = true;
      flush();
    },
    take: (delivery, ended) => {
      const known = deliveries.get(delivery);
      if (!known) return null;
      known.take(ended);
      return known.handled;
    },
    has: (delivery) => deliveries.has(delivery),
    storedElsewhere: (runId) => {
      for (const delivery of [...deliveries.values()]) if (delivery.runId === runId) delivery.abort();
    },
    isConnected: () => response !== null,
    end: (reason) => {
      unsent = [{ kind: 'end', reason }];
      flush();
      response?.end();
    },
  };
};
