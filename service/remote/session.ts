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
  /** the address of its requests */
  address: string | null;
  tickets: Tickets;
  clock: Clock;
}

/** The sender of results. */
export interface Reporter {
  readonly id: string;
  readonly runner: KnownRunner;
  /** the machine named in results */
  server: () => CheckServer;
  /** The runner sent something. */
  noteReport: (report?: Pick<Report, 'clock' | 'clock_offset_ms' | 'load'>) => void;
  /** Whether a delivery is in progress. */
  has: (delivery: string) => boolean;
  /**
   * Accepts the result of a delivery.
   *
   * @returns resolves when it is stored, or never will be; null: the delivery is not (or no longer) awaited
   */
  take: (delivery: string, ended: Ended) => Promise<void> | null;
}

/** A runner whose session is in another process, but whose report a proxy sent to this one. */
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

/** A connected runner, as seen by the worker that takes its region's runs. */
export interface Session extends Reporter {
  readonly region: Region;
  readonly hello: Hello;
  /** Executes checks by handing them over. */
  probes: Probes;
  /** Wraps a queue, so that it is known when its runs are handled. */
  tracking: (queue: WorkQueue) => Pick<WorkQueue, 'consume' | 'offer'>;
  /** Whether the run of a delivery may produce files. */
  leavesFiles: (delivery: string) => boolean;
  presence: () => RunnerPresence;
  /** monotonic, milliseconds */
  lastReportAt: () => number;
  /**
   * Sends orders in a response that stays open; an earlier one ends.
   *
   * @param closed called when it has ended
   */
  stream: (response: ServerResponse, closed: () => void) => void;
  /** The result of a run was stored by another process. */
  storedElsewhere: (runId: string) => void;
  /** A check was changed, paused or deleted: its runs must not continue offline. */
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
