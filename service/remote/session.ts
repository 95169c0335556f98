import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { CheckServer } from '../../domain/check-result/events.ts';
import { derivedId } from '../../domain/identity.ts';
import type { Region } from '../../domain/check/regions.ts';
import type { RunnerPresence } from '../../domain/runner/presence.ts';
import type { Clock } from '../../network/clock.ts';
import type { Probes } from '../../runners/probes.ts';
import type { Ended, Hello, Order, Report } from '../../runners/remote/protocol.ts';
import type { WorkQueue } from '../../stores/work-queue/port.ts';
import { createDeliveries } from './deliveries.ts';
import { createOrders } from './orders.ts';
import type { KnownRunner } from '../../api/runner-source.ts';
import type { Tickets } from './tickets.ts';

export interface SessionOptions {
  runner: KnownRunner;
  region: Region;
  hello: Hello;
  /** address from which the runner sends requests; null: unknown */
  address: string | null;
  tickets: Tickets;
  clock: Clock;
}

/** The sender of results. */
export interface Reporter {
  readonly id: string;
  readonly runner: KnownRunner;
  /** returns the machine to be named in results */
  server: () => CheckServer;
  /** Called when the runner has sent something. */
  noteReport: (report?: Pick<Report, 'clock' | 'clock_offset_ms' | 'load'>) => void;
  /** Returns whether a delivery is in progress. */
  has: (delivery: string) => boolean;
  /**
   * Accepts the result of a delivery.
   *
   * @returns null if the result is not awaited, or no longer awaited. Otherwise a promise that resolves when the result
   * is stored, or when it is certain that it will not be stored
   */
  take: (delivery: string, ended: Ended) => Promise<void> | null;
}

/**
 * Creates the reporter for a runner whose session is in another process. A proxy has sent its report to this process.
 */
export const reporterElsewhere = (
  id: string,
  runner: KnownRunner,
  region: Region,
  { address, clock_offset_ms }: { address: string | null; clock_offset_ms: number | null },
): Reporter => ({
  id,
  runner,
  server: () => serverOf(runner, region, address, clock_offset_ms),
  noteReport: () => undefined,
  has: () => false,
  take: () => null,
});

const serverOf = (runner: KnownRunner, region: Region, address: string | null, offset: number | null): CheckServer => ({
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

/** A connected runner, as the worker of its region uses it. */
export interface Session extends Reporter {
  readonly region: Region;
  readonly hello: Hello;
  /** Executes checks by handing them to the runner. */
  probes: Probes;
  /** Wraps a queue, so that `take` can wait until the handler of a run has finished. */
  tracking: (queue: WorkQueue) => Pick<WorkQueue, 'consume' | 'offer'>;
  /** Returns whether the run of a delivery may produce files. */
  leavesFiles: (delivery: string) => boolean;
  presence: () => RunnerPresence;
  /** returns when the runner last sent something, in milliseconds of the monotonic clock */
  lastReportAt: () => number;
  /**
   * Sends orders in a response that stays open. The previous response ends.
   *
   * @param closed called when the response has ended
   */
  stream: (response: ServerResponse, closed: () => void) => void;
  /** Called when another process has stored the result of a run. */
  storedElsewhere: (runId: string) => void;
  /** Called when a check was changed, paused or deleted, so its runs must not continue offline. */
  forget: (checkId: string) => void;
  isConnected: () => boolean;
  end: (reason: Extract<Order, { kind: 'end' }>['reason']) => void;
}

export const createSession = ({ runner, region, hello, address, tickets, clock }: SessionOptions): Session => {
  const orders = createOrders(clock);
  const deliveries = createDeliveries({ runner, orders, tickets, clock });
  let load: Report['load'] = { in_flight: 0, unsent: 0 };
  let offset: number | null = null;
  let lastContact = clock.now();
  let lastHeard = clock.monotonic();

  return {
    id: randomBytes(18).toString('base64url'),
    runner,
    region,
    hello,
    probes: { types: hello.types, run: deliveries.run },
    tracking: deliveries.tracking,
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
    noteReport: (report) => {
      lastContact = clock.now();
      lastHeard = clock.monotonic();
      if (!report) return;
      load = report.load;
      offset = report.clock_offset_ms === null ? null : Math.round(report.clock_offset_ms);
    },
    stream: (response, closed) => {
      orders.stream(response, deliveries.orders, closed);
    },
    lastReportAt: () => lastHeard,
    has: deliveries.has,
    leavesFiles: deliveries.leavesFiles,
    take: deliveries.take,
    storedElsewhere: deliveries.endRun,
    forget: deliveries.forget,
    isConnected: orders.isOpen,
    end: (reason) => {
      orders.end({ kind: 'end', reason });
    },
  };
};
