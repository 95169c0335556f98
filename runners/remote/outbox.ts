import { pause } from '../../probes/engine/pause.ts';
import type { Clock } from '../../network/clock.ts';
import type { Backoff } from './backoff.ts';
import type { ServiceClient } from './client.ts';
import { ServiceError } from './errors.ts';
import type { Report, Welcome } from './protocol.ts';
import type { ServiceClock } from './service-clock.ts';
import type { Spool } from './spool.ts';
import {
  ITEM_BYTES,
  formatSpoolLine,
  REPORT_BYTES,
  reportOf,
  parseSpoolLine,
  type UnreportedResult,
} from './unreported-results.ts';

/**
 * How soon a report is sent. `now`: immediately. `soon`: within 50 ms, together with others. `leisurely`: after a
 * longer time than `soon`, because the result only confirms an unchanged state.
 */
export type Urgency = 'now' | 'soon' | 'leisurely';

const WAIT_MS: Record<Exclude<Urgency, 'now'>, number> = { soon: 50, leisurely: 250 };
/** Maximum number of concurrent reports. */
const MAX_REPORTS = 4;
/** Maximum size of results in memory, in bytes. Further results are stored on disk. */
const MAX_BYTES = 16_777_216;
/** HTTP statuses which mean that there is no session, or that it has ended. */
const SESSION_OVER: ReadonlySet<number> = new Set([401, 403, 404, 409, 426]);
/** HTTP statuses that the service would return again for the same report. */
const REJECTED: ReadonlySet<number> = new Set([400, 413, 415, 422]);

export interface OutboxOptions {
  client: Pick<ServiceClient, 'report'>;
  clock: Clock;
  serviceClock: Pick<ServiceClock, 'now' | 'offset'>;
  /** pauses after failed reports */
  backoff: Backoff;
  /** stores undeliverable results on disk; null: they stay in memory */
  spool: Pick<Spool, 'append' | 'read' | 'flush'> | null;
  /** returns the number of runs in progress */
  inFlight: () => number;
  /**
   * Called when the service responds that it does not know the session or this runner. The service may have known both
   * before.
   */
  sessionOver: (session: string) => void;
  /** Called when the service has rejected a result. */
  refused: (reason: string) => void;
}

/** Stores results until the service has confirmed them. */
export interface Outbox {
  add: (unsent: UnreportedResult, urgency: Urgency) => void;
  /** Starts sending reports to a session, including the results on disk. */
  open: (welcome: Pick<Welcome, 'session' | 'limits'>) => void;
  /** Stops sending until another session is opened. */
  close: () => void;
  /** Moves unsent results to disk until there is a session again. */
  moveToDisk: () => void;
  /**
   * Sends a report without results. It shows the service that this runner is alive, and measures the service's clock.
   */
  sendHeartbeat: () => void;
  /** returns when the most recent report was sent, by the monotonic clock */
  lastSent: () => number;
  /** returns when the service most recently confirmed a report, by the monotonic clock */
  lastConfirmed: () => number;
  unsent: () => number;
  /** Sends all results immediately, for at most `milliseconds`. The remaining results are moved to disk. */
  flush: (milliseconds: number) => Promise<void>;
}

interface OpenSession {
  id: string;
  limits: Welcome['limits'];
  controller: AbortController;
}

/** The outcome of sending a report. `again`: the results can be sent again immediately, in smaller reports. */
type Attempt = 'done' | 'again' | 'later';

export const createOutbox = (options: OutboxOptions): Outbox => {
  const { client, clock, serviceClock, backoff, spool } = options;
  let session: OpenSession | null = null;
  let pending: UnreportedResult[] = [];
  let bytes = 0;
  let reports = 0;
  let isDue = false;
  let isOnDisk = false;
  let isDraining = false;
  /**
   * maximum number of results in a report; lowered when the service rejects a report, and raised again after a success
   */
  let most = Infinity;
  let retryAt = 0;
  let lastSent = -Infinity;
  let lastConfirmed = -Infinity;
  let wakeAt = Infinity;
  let cancelWake = (): void => undefined;
  let whenIdle = (): void => undefined;

  const head = (): Pick<Report, 'clock' | 'clock_offset_ms' | 'load'> => {
    const offset = serviceClock.offset();
    return {
      clock: clock.now(),
      clock_offset_ms: offset === null ? null : Math.round(offset),
      load: { in_flight: options.inFlight(), unsent: pending.length },
    };
  };

  const attempt = async (group: readonly UnreportedResult[]): Promise<Attempt> => {
    const current = session;
    if (!current) return 'later';
    lastSent = clock.monotonic();
    try {
      const body = reportOf(head(), group, serviceClock.now());
      const { refused } = await client.report(current.id, body, current.controller.signal);
      lastConfirmed = clock.monotonic();
      backoff.reset();
      if (group.length >= most) most *= 2;
      for (const { reason } of refused) options.refused(reason);
      return 'done';
    } catch (error) {
      return afterFailure(error, group, current);
    }
  };

  const afterFailure = (error: unknown, group: readonly UnreportedResult[], current: OpenSession): Attempt => {
    const status = error instanceof ServiceError ? error.status : null;
    if (status !== null && REJECTED.has(status)) {
      if (group.length > 1) {
        most = Math.ceil(group.length / 2);
        return 'again';
      }
      if (group.length === 1) options.refused((error as ServiceError).message);
      return 'done';
    }
    if (status !== null && SESSION_OVER.has(status) && session === current) {
      close();
      options.sessionOver(current.id);
    }
    const retryAfter = error instanceof ServiceError ? (error.retryAfterMs ?? 0) : 0;
    // The end of a session is not a failure, so the next session starts without a pause.
    if (session === current) retryAt = clock.monotonic() + backoff.next(retryAfter);
    return 'later';
  };

  /** Removes and returns as many pending results as fit into a report, but at least one. */
  const takeGroup = ({ limits }: OpenSession): UnreportedResult[] => {
    let size = REPORT_BYTES;
    let count = 0;
    for (const one of pending) {
      size += one.bytes + ITEM_BYTES;
      if (count > 0 && (count >= Math.min(limits.results, most) || size > limits.report_bytes)) break;
      count += 1;
    }
    const group = pending.splice(0, count);
    bytes -= bytesOf(group);
    return group;
  };

  const putBack = (group: readonly UnreportedResult[]): void => {
    pending = [...group, ...pending];
    bytes += bytesOf(group);
    isDue = true;
    if (isOnDisk) spill();
  };

  const deliver = async (group: readonly UnreportedResult[]): Promise<void> => {
    reports += 1;
    if ((await attempt(group)) !== 'done') putBack(group);
    reports -= 1;
    pump();
  };

  const pump = (): void => {
    while (session && isDue && pending.length > 0 && reports < MAX_REPORTS && clock.monotonic() >= retryAt)
      void deliver(takeGroup(session));
    if (reports === 0 && (pending.length === 0 || !session)) whenIdle();
    if (pending.length === 0) isDue = false;
    else if (session && isDue && clock.monotonic() < retryAt) wakeIn(retryAt - clock.monotonic());
  };

  const wakeIn = (milliseconds: number): void => {
    const at = clock.monotonic() + milliseconds;
    if (at >= wakeAt) return;
    cancelWake();
    wakeAt = at;
    cancelWake = clock.after(milliseconds, () => {
      wakeAt = Infinity;
      isDue = true;
      pump();
    });
  };

  const spill = (): void => {
    if (!spool || pending.length === 0) return;
    void spool.append(pending.map(formatSpoolLine)).then(drain);
    pending = [];
    bytes = 0;
  };

  const drain = async (): Promise<void> => {
    if (!spool || isDraining) return;
    isDraining = true;
    for (let current = session; current; current = session) {
      const { results, report_bytes } = current.limits;
      const limits = { lines: Math.min(results, most), bytes: report_bytes - REPORT_BYTES };
      const batch = await spool.read(limits);
      if (!batch) break;
      const known = batch.lines.map(parseSpoolLine).filter((one) => one !== null);
      const outcome = known.length === 0 ? 'done' : await attempt(known);
      if (outcome === 'done') await batch.remove();
      else if (outcome === 'later' && session === current) {
        const { signal } = current.controller;
        await pause(clock, Math.max(0, retryAt - clock.monotonic()), signal).catch(() => undefined);
      }
    }
    isDraining = false;
  };

  const close = (): void => {
    session?.controller.abort(new Error('The session is over.'));
    session = null;
  };

  return {
    add: (unsent, urgency) => {
      pending.push(unsent);
      bytes += unsent.bytes;
      if (isOnDisk || bytes > MAX_BYTES) spill();
      const isEnough = session !== null && pending.length >= Math.min(session.limits.results, most);
      if (urgency !== 'now' && !isEnough) {
        wakeIn(WAIT_MS[urgency]);
        return;
      }
      isDue = true;
      pump();
    },
    open: ({ session: id, limits }) => {
      session = { id, limits, controller: new AbortController() };
      isOnDisk = false;
      isDue = true;
      retryAt = 0;
      pump();
      void drain();
    },
    close,
    moveToDisk: () => {
      if (!spool) return;
      isOnDisk = true;
      spill();
    },
    sendHeartbeat: () => void attempt([]),
    lastSent: () => lastSent,
    lastConfirmed: () => lastConfirmed,
    unsent: () => pending.length,
    flush: async (milliseconds) => {
      const sent = new Promise<void>((resolve) => {
        whenIdle = resolve;
      });
      isDue = true;
      retryAt = 0;
      pump();
      let cancel = (): void => undefined;
      const late = new Promise<void>((resolve) => {
        cancel = clock.after(session ? milliseconds : 0, resolve);
      });
      await Promise.race([sent, late]);
      cancel();
      cancelWake();
      isOnDisk = spool !== null;
      spill();
      close();
      pump();
      await sent;
      await spool?.flush();
    },
  };
};

const bytesOf = (all: readonly UnreportedResult[]): number => all.reduce((sum, one) => sum + one.bytes, 0);
