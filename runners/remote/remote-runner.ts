import type { Clock } from '../../network/clock.ts';
import type { Uplink } from '../../network/uplink.ts';
import type { Outcome } from '../../probes/engine/check-type.ts';
import type { Staging } from '../../probes/staging.ts';
import { KillsItsProcess, type Probes } from '../probes.ts';
import { mayBeOwnOutage, type Anchors } from '../worker/anchors.ts';
import { createBackoff } from './backoff.ts';
import { createServiceClient } from './client.ts';
import { createConnection, type RunnerOrder } from './connection.ts';
import { createHandedRuns } from './handed-runs.ts';
import { createOfflineSchedule, type KnownCheck } from './offline-schedule.ts';
import { createOutbox } from './outbox.ts';
import { PROTOCOL, type Hello, type Welcome } from './protocol.ts';
import { createRemoteFiles } from './result-files.ts';
import { createServiceClock } from './service-clock.ts';
import type { Spool } from './spool.ts';
import { offlineToSend, resultToSend } from './unreported-results.ts';

export interface RemoteRunnerOptions {
  uplink: Pick<Uplink, 'request'>;
  token: string;
  /** what the runner says about itself in its hello */
  about: Pick<Hello, 'release' | 'instance' | 'region' | 'lacking'>;
  probes: Probes;
  /** null if runs produce no files */
  staging: Pick<Staging, 'read' | 'discard'> | null;
  /** null if no anchors are configured */
  anchors: Pick<Anchors, 'silent'> | null;
  /** stores undeliverable results on disk; null: they stay in memory */
  spool: Spool | null;
  /** maximum number of concurrent runs */
  capacity: number;
  /** how long checks continue without the service, in milliseconds; 0 if checks stop immediately */
  offline: number;
  clock: Clock;
  /** returns a number from 0 to 1, like Math.random */
  random: () => number;
  observe: RemoteRunnerObserver;
}

/** Events for the process log. */
export interface RemoteRunnerObserver {
  connected: (welcome: Welcome) => void;
  lost: (reason: string) => void;
  /** the runner could not connect, and retries after `milliseconds` */
  failed: (reason: string, milliseconds: number) => void;
  revoked: (reason: string) => void;
  /** `checks` checks continue without the service */
  offline: (checks: number) => void;
  /** the time limit for checks without the service has passed */
  offlineOver: () => void;
  /** the service has rejected a result */
  refused: (reason: string) => void;
  /** a run could not be executed; `check_id` is null if its definition belongs to no check */
  trouble: (run: { check_id: string | null }, error: unknown) => void;
}

export interface RemoteRunnerState {
  isConnected: boolean;
  /** whether checks continue without the service */
  isOffline: boolean;
  inFlight: number;
  /**
   * number of results in memory that the service has not confirmed; `spooledBytes` is the size of the results on disk
   */
  unsent: number;
  spooledBytes: number;
  clockOffset: number | null;
}

export interface RemoteRunner {
  /**
   * Connects to the service and runs what it hands over, until `stop` is called.
   *
   * @throws RunnerRejected the service rejects this runner
   */
  run: () => Promise<void>;
  /** Returns current runs to the service, and reports all results. This takes eight seconds at most. */
  stop: () => Promise<void>;
  state: () => RemoteRunnerState;
}

/**
 * If a stream has been lost for this long, the service counts as unreachable and checks continue offline. Milliseconds.
 */
const OUTAGE_MS = 15_000;
/** If the service states no `heartbeat_ms`, an idle runner sends this many reports per `silence_ms`. */
const BEATS_IN_SILENCE = 2;
/**
 * After this many intervals without a response, the connection counts as broken. This limit is necessary because the
 * system does not report a failure of the network. The service gives the runs of a silent runner to other runners after
 * three intervals, so this runner must not wait much longer before it continues offline.
 */
const BEATS_UNANSWERED = 4;
const SHORTEST_BEAT_MS = 1_000;
/**
 * If the connection for reports was idle for this long, it may have been closed. In milliseconds. Reopening takes
 * several round trips. So at the start of a run that a user requested, a report reopens the connection, and the result
 * is not delayed.
 */
const WARM_MS = 3_000;
const FLUSH_MS = 5_000;

export const createRemoteRunner = (options: RemoteRunnerOptions): RemoteRunner => {
  const { uplink, token, about, probes, staging, anchors, spool, capacity, clock, random, observe } = options;
  const serviceClock = createServiceClock(clock);
  const client = createServiceClient({ uplink, token, clock, serviceClock });
  let isConnected = false;
  let isOffline = false;
  let isStopping = false;
  let cancelOutage: (() => void) | null = null;
  let cancelBeat = (): void => undefined;

  const hello = (): Hello => ({
    protocol: PROTOCOL,
    ...about,
    types: [...probes.types],
    capacity,
    clock: clock.now(),
  });

  const files = createRemoteFiles({ client, session: () => (isConnected ? connection.session() : null), staging });

  const handed = createHandedRuns({
    probes,
    serviceClock,
    files,
    anchors,
    capacity,
    free: (checkId) => offline.free(checkId),
    ended: (run, ended, urgency) => {
      // The connection is lost, so the run cannot be returned. When the service notices this, it gives the run to
      // another runner.
      if ('aborted' in ended && !isConnected) return;
      outbox.add(resultToSend(ended, run, serviceClock.now()), urgency);
    },
    trouble: observe.trouble,
  });

  const outbox = createOutbox({
    client,
    clock,
    serviceClock,
    backoff: createBackoff(random),
    spool,
    inFlight: () => handed.inFlight() + offline.inFlight(),
    sessionOver: (session) => {
      connection.over(session);
    },
    refused: observe.refused,
  });

  const runOffline = async (known: KnownCheck, slot: number, signal: AbortSignal): Promise<boolean> => {
    try {
      const outcome = await outcomeOffline(known, signal);
      const suspect = mayBeOwnOutage(outcome) && ((await anchors?.silent()) ?? false);
      const sent = { ...(await files.leaveOut(outcome)), ...(suspect && { suspect: true as const }) };
      const result = { ticket: known.ticket, slot, ended_at: Math.round(serviceClock.now()), outcome: sent };
      outbox.add(offlineToSend(result), 'soon');
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      observe.trouble({ check_id: known.id }, error);
      return !(error instanceof KillsItsProcess);
    }
  };

  const outcomeOffline = async ({ id, check, schedule }: KnownCheck, signal: AbortSignal): Promise<Outcome> => {
    const context = { signal, fresh: false, about: id };
    const outcome = await probes.run(check, context);
    if (outcome.status === 'ok' || !schedule.repeats) return outcome;
    await files.discard(outcome);
    return probes.run(check, context);
  };

  const offline = createOfflineSchedule({
    clock,
    serviceClock,
    limit: options.offline,
    capacity,
    isRunning: handed.isRunning,
    run: runOffline,
    over: () => {
      isOffline = false;
      observe.offlineOver();
    },
  });

  /** Sends a report at least every `milliseconds`, and reopens a stream that does not respond. */
  const beatEvery = (milliseconds: number, next = milliseconds): void => {
    cancelBeat = clock.after(next, () => {
      const left = outbox.lastSent() + milliseconds - clock.monotonic();
      if (left <= 0) outbox.sendHeartbeat();
      const heard = Math.max(connection.lastHeard(), outbox.lastConfirmed());
      if (clock.monotonic() - heard > BEATS_UNANSWERED * milliseconds)
        connection.renew('The service does not respond.');
      beatEvery(milliseconds, left <= 0 ? milliseconds : left);
    });
  };

  const obey = (order: RunnerOrder): void => {
    switch (order.kind) {
      case 'run':
        offline.remember(order.run);
        if (order.run.fresh && clock.monotonic() - outbox.lastSent() > WARM_MS) outbox.sendHeartbeat();
        handed.take(order.run);
        return;
      case 'cancel':
        handed.cancel(order.delivery);
        return;
      case 'forget':
        offline.forget(order.check_id);
        return;
      case 'unreadable':
        outbox.add(
          resultToSend({ trouble: 'This release of the runner cannot read the run.' }, order, serviceClock.now()),
          'soon',
        );
    }
  };

  const connection = createConnection({
    client,
    clock,
    backoff: createBackoff(random),
    hello,
    order: obey,
    connected: (welcome) => {
      isConnected = true;
      isOffline = false;
      cancelOutage?.();
      cancelOutage = null;
      offline.end();
      outbox.open(welcome);
      beatEvery(Math.max(SHORTEST_BEAT_MS, welcome.heartbeat_ms ?? welcome.silence_ms / BEATS_IN_SILENCE));
      observe.connected(welcome);
    },
    lost: (reason, heard) => {
      isConnected = false;
      cancelBeat();
      outbox.close();
      if (isStopping) return;
      observe.lost(reason);
      const heardAt = serviceClock.now() - (clock.monotonic() - heard);
      cancelOutage ??= clock.after(OUTAGE_MS, () => {
        outbox.moveToDisk();
        const checks = offline.begin(heardAt);
        isOffline = checks > 0;
        if (isOffline) observe.offline(checks);
      });
    },
    failed: observe.failed,
    revoked: (reason) => {
      offline.clear();
      handed.abort();
      isOffline = false;
      observe.revoked(reason);
    },
  });

  return {
    run: connection.run,
    stop: async () => {
      const session = connection.session();
      isStopping = true;
      cancelOutage?.();
      // Until the results have been sent, the stream stays open, so that the service still accepts results of this
      // session.
      await Promise.all([handed.stop(), offline.stop()]);
      await outbox.flush(FLUSH_MS);
      connection.stop();
      cancelBeat();
      if (session) await client.leave(session.session).catch(() => undefined);
    },
    state: () => ({
      isConnected,
      isOffline,
      inFlight: handed.inFlight() + offline.inFlight(),
      unsent: outbox.unsent(),
      spooledBytes: spool?.bytes() ?? 0,
      clockOffset: serviceClock.offset(),
    }),
  };
};
