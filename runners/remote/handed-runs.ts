import { LocalFailure } from '../../network/local-failure.ts';
import { RunAborted, type Outcome } from '../../probes/engine/check-type.ts';
import { KillsItsProcess, type Probes } from '../probes.ts';
import { mayBeOwnOutage, type Anchors } from '../worker/anchors.ts';
import { createNotableResults } from '../worker/notable-results.ts';
import type { Urgency } from './outbox.ts';
import type { Ended, HandedRun, SentOutcome } from './protocol.ts';
import type { RemoteFiles } from './result-files.ts';
import type { ServiceClock } from './service-clock.ts';

export interface HandedRunsOptions {
  probes: Pick<Probes, 'run'>;
  serviceClock: Pick<ServiceClock, 'now'>;
  files: Pick<RemoteFiles, 'send'>;
  /** detects whether this runner is cut off from its network; null if no anchors are configured */
  anchors: Pick<Anchors, 'silent'> | null;
  /** maximum number of concurrent runs that the service may hand over */
  capacity: number;
  /**
   * Resolves when no offline run of the check is in progress. An offline run is one that this runner has started on its
   * own, without the service.
   */
  free: (checkId: string) => Promise<void>;
  ended: (run: HandedRun, ended: Ended, urgency: Urgency) => void;
  /** Called if a run could not be executed. */
  trouble: (run: HandedRun, error: unknown) => void;
}

/** The runs that the service hands over to this runner. */
export interface HandedRuns {
  /** Starts a run, unless it has already started. */
  take: (run: HandedRun) => void;
  /** Ends a run whose result is no longer needed. */
  cancel: (delivery: string) => void;
  /** Ends all runs. They are returned to the service. */
  abort: () => void;
  /** Stops accepting runs, ends all runs, and waits until they have ended. */
  stop: () => Promise<void>;
  inFlight: () => number;
  /** Whether a run of a check is in progress. */
  isRunning: (checkId: string) => boolean;
}

interface Flight {
  /** the run, with the delivery by which the service most recently handed it over */
  run: HandedRun;
  controller: AbortController;
  /** whether the result is no longer needed */
  isCancelled: boolean;
}

/**
 * Factor by which the number of runs may exceed the capacity. The service limits how many runs it hands over, but some
 * check types have queues of their own, so the total can exceed the capacity. If more runs are in progress than this
 * factor allows, the service is faulty, and the runner returns further runs.
 */
const FAR_TOO_MANY = 4;
/**
 * Number of deliveries per unit of capacity that are remembered. When a stream is reopened, the service repeats the
 * deliveries that have no result, and the runner must not start these runs again.
 */
const REMEMBERED = 4;
const REMEMBERED_LEAST = 1_000;

/** Maximum number of characters in a message about a run. */
const MAX_MESSAGE = 1_000;

/** Returns the key of a run. All deliveries of the same run of a check have the same key. */
const keyOf = ({ delivery, check_id, slot, fresh }: HandedRun): string =>
  check_id === null || fresh ? delivery : `${check_id} ${slot}`;

export const createHandedRuns = (options: HandedRunsOptions): HandedRuns => {
  const { probes, serviceClock, files, anchors, capacity, ended } = options;
  const news = createNotableResults();
  const flights = new Map<string, Flight>();
  const byCheck = new Map<string, number>();
  const known = new Set<string>();
  const under = new Set<Promise<void>>();
  let isStopped = false;

  const remember = (delivery: string): void => {
    known.add(delivery);
    if (known.size <= Math.max(REMEMBERED_LEAST, REMEMBERED * capacity)) return;
    const [oldest] = known;
    if (oldest !== undefined) known.delete(oldest);
  };

  const count = (checkId: string | null, by: 1 | -1): void => {
    if (checkId === null) return;
    const runs = (byCheck.get(checkId) ?? 0) + by;
    if (runs === 0) byCheck.delete(checkId);
    else byCheck.set(checkId, runs);
  };

  const urgencyOf = ({ check_id, fresh }: HandedRun, outcome: Pick<Outcome, 'status'>): Urgency => {
    if (fresh) return 'now';
    return news.is({ check_id, result_type: 'regular', execution_group_id: null }, outcome) ? 'soon' : 'leisurely';
  };

  const mayBegin = ({ not_after }: HandedRun): boolean => serviceClock.now() <= not_after;

  const perform = async (flight: Flight): Promise<SentOutcome | null> => {
    const { run, controller } = flight;
    const { check, check_id, fresh } = run;
    if (check_id !== null && !fresh) await options.free(check_id);
    if (controller.signal.aborted || !mayBegin(run)) return null;
    const context = { signal: controller.signal, fresh, about: check_id ?? run.delivery };
    const outcome = await probes.run(check, context);
    const suspect = mayBeOwnOutage(outcome) && ((await anchors?.silent()) ?? false);
    return { ...(await files.send(outcome, flight.run.delivery)), ...(suspect && { suspect: true as const }) };
  };

  const endedBy = (flight: Flight, error: unknown): Ended => {
    if (error instanceof RunAborted) return { aborted: true };
    options.trouble(flight.run, error);
    if (error instanceof KillsItsProcess) return { killed: error.how.slice(0, MAX_MESSAGE) };
    const words = error instanceof LocalFailure ? error.message : `The run failed: ${String(error)}`;
    return { trouble: words.slice(0, MAX_MESSAGE) };
  };

  const fly = async (key: string, flight: Flight): Promise<void> => {
    let end: Ended;
    let urgency: Urgency = 'now';
    try {
      const outcome = await perform(flight);
      end = outcome ? { outcome } : { aborted: true };
      if (outcome) urgency = urgencyOf(flight.run, outcome);
    } catch (error) {
      end = endedBy(flight, error);
    }
    flights.delete(key);
    count(flight.run.check_id, -1);
    if (!flight.isCancelled) ended(flight.run, end, urgency);
  };

  const begin = (run: HandedRun): void => {
    const key = keyOf(run);
    const same = flights.get(key);
    if (same && !same.isCancelled) {
      // The run was delivered again, because the service lost track of it.
      same.run = run;
      return;
    }
    if (same || isStopped || !mayBegin(run) || flights.size >= FAR_TOO_MANY * capacity) {
      ended(run, { aborted: true }, 'now');
      return;
    }
    const flight: Flight = { run, controller: new AbortController(), isCancelled: false };
    flights.set(key, flight);
    count(run.check_id, 1);
    const finished: Promise<void> = fly(key, flight).finally(() => under.delete(finished));
    under.add(finished);
  };

  const abort = (): void => {
    for (const { controller } of flights.values()) controller.abort(new RunAborted());
  };

  return {
    take: (run) => {
      if (known.has(run.delivery)) return;
      remember(run.delivery);
      begin(run);
    },
    cancel: (delivery) => {
      for (const flight of flights.values()) {
        if (flight.run.delivery !== delivery) continue;
        flight.isCancelled = true;
        flight.controller.abort(new RunAborted());
      }
    },
    abort,
    stop: async () => {
      isStopped = true;
      abort();
      await Promise.all(under);
    },
    inFlight: () => flights.size,
    isRunning: (checkId) => byCheck.has(checkId),
  };
};
