import type { CheckServer } from '../../domain/check-result/events.ts';
import type { CheckTypeName } from '../../domain/check/events.ts';
import type { LiveRunners, Region } from '../../domain/check/regions.ts';
import { streamOf } from '../../domain/decider.ts';
import { StoreUnavailable, type Batches, type BatchedOutcome } from '../../stores/event-store/port.ts';
import type { Keys } from '../../stores/keys/port.ts';
import { QueueFull, type Delivery, type QueuedRun, type WorkQueue } from '../../stores/work-queue/port.ts';
import { RunAborted, type Outcome } from '../../probes/engine/check-type.ts';
import { pause } from '../../probes/engine/pause.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import type { Clock } from '../../network/clock.ts';
import { KillsItsProcess, type Probes } from '../probes.ts';
import { queuesOfRegion } from '../queue-names.ts';
import { mayRepeat, messageOf, type RunMessage } from '../run-message.ts';
import { mayBeOwnOutage, type Anchors } from './anchors.ts';
import type { ResultFiles } from './result-files.ts';
import { createLongRuns } from './long-runs.ts';
import { createNotableResults } from './notable-results.ts';
import { openDefinition } from './open-definition.ts';
import { resultEvent, resultIdOf, subjectOf } from './result.ts';
import { openSecrets, unreadableSecret, type BoundSecret } from './open-secrets.ts';

export interface WorkerDependencies {
  region: Region;
  /** Returns the machine to be named in results. Called for each result. */
  server: () => CheckServer;
  /** executes the checks; its types are the types of this worker */
  probes: Probes;
  queue: Pick<WorkQueue, 'consume' | 'offer'>;
  /** stores results in the results log */
  results: Batches;
  keys: Pick<Keys, 'open'>;
  /** stores the files of runs; absent if no type of this worker produces files */
  files?: ResultFiles;
  /** Returns the secrets to which a check is bound now. The runs of the check can read these secrets. */
  secretsOf: (checkId: string, organizationId: string) => Promise<readonly BoundSecret[]>;
  clock: Clock;
  /** what all live runners can run, including this one; absent if unknown */
  runners?: Pick<LiveRunners, 'abilities'>;
  /** detects whether this runner is cut off from its network; absent if no anchors are configured */
  anchors?: Anchors;
  /** maximum number of concurrent runs of types that share a queue */
  concurrency: number;
  /** maximum number of concurrent runs of each type with a queue of its own; default: 1 */
  concurrencyOf?: Readonly<Record<CheckTypeName, number>>;
  /** Whether a run should still start (`at` is `begin`), or whether its result still counts (`at` is `store`). */
  wanted: (run: QueuedRun, at: RunStage) => boolean | Promise<boolean>;
  /**
   * Called when a run has started. The run does not wait for the promise, but its result is stored only after the
   * promise has resolved.
   */
  began?: (run: QueuedRun) => Promise<void>;
  /** Whether the check of a run was changed after the run was requested. */
  outdated?: (run: QueuedRun) => Promise<boolean>;
  /**
   * Called for a run that ended two processes, the second of which ran nothing else. Such a run has no result and must
   * not be repeated.
   */
  endedProcesses?: (run: QueuedRun, region: Region, cause: string) => Promise<void>;
  /** Called when a run has ended and its result is stored, or when it has ended without a result. */
  finished?: (run: QueuedRun, outcome: 'stored' | 'none') => void;
  observe?: WorkerObserver;
}

/** Time at which a run is examined: `begin` is before the run starts, `store` is before its result is stored. */
export type RunStage = 'begin' | 'store';

/** The reasons why a run does not start. */
type NotBegun = 'late' | 'unwanted' | 'unserved';

/** The result of handling a delivery. `waits`: the run has not started and is in the queue again. */
type Ended = 'stored' | 'none' | 'waits';

/**
 * If too many long runs are in progress, another long run waits in its slot for this time. Then it returns to the end
 * of the queue. Milliseconds.
 */
const BACK_AFTER_MS = 1_000;

/** Callbacks for metrics and logs. */
export interface WorkerObserver {
  /** a result was stored; `milliseconds` is the duration of the probe, including a repetition */
  stored?: (result: { type: CheckTypeName; outcome: Outcome; milliseconds: number }) => void;
  /** a result says nothing about its target, because this runner is cut off from its network */
  suspect?: () => void;
  /** the result was already in the log, because the run had been delivered twice */
  repeated?: () => void;
  /**
   * A run has no result. `late`: it was not started before `not_after`; `unwanted`: the check was deleted, changed or
   * deactivated before the start; `unserved`: no live runner of the region can run the type; `refused`: the run had to
   * wait, and the queue was full; `aborted`: the worker is stopping; `ended_processes`: the run ended two processes.
   */
  dropped?: (reason: NotBegun | 'refused' | 'aborted' | 'ended_processes') => void;
  /**
   * A run could not be executed or put back into the queue, or its result could not be stored. The failed operation is
   * retried.
   */
  trouble?: (run: QueuedRun, error: unknown) => void;
}

export interface Worker {
  readonly types: readonly CheckTypeName[];
  /** Starts taking runs from the queue. */
  start: () => void;
  /**
   * Stops taking runs. Runs in progress are left to other workers. Waits until the results that are being stored are
   * stored.
   */
  stop: () => Promise<void>;
  /** Ends a run in progress without a result. */
  cancel: (runId: string) => void;
  inFlight: () => number;
}

/** Takes the runs of one region from its queue, runs them and stores their results. */
export const createWorker = (dependencies: WorkerDependencies): Worker => {
  const { region, clock, probes, results, observe = {} } = dependencies;
  const stream = streamOf('check_results', region.aliases[0]);
  const longRuns = createLongRuns(dependencies.concurrency);
  const news = createNotableResults();
  const running = new Map<string, AbortController>();
  const stopping = new AbortController();
  let consuming: Promise<unknown> = Promise.resolve();

  const probe = async (run: QueuedRun, message: RunMessage, signal: AbortSignal): Promise<Outcome> => {
    const { check_id, organization_id, definition } = message;
    const bound = check_id === null ? [] : await dependencies.secretsOf(check_id, organization_id);
    const opened = await openSecrets(organization_id, bound, dependencies.keys);
    if ('unreadable' in opened) return unreadableSecret(definition.type, opened.unreadable);
    const check = await openDefinition(organization_id, definition, dependencies.keys, opened.values);
    const about = message.check_id ?? message.execution_id ?? '';
    const context = { signal, fresh: message.result_type === 'on_demand', about, run };
    const outcome = await probes.run(check, context);
    if (outcome.status === 'ok' || !mayRepeat(message)) return outcome;
    // The first failure of a run that may be repeated is neither stored nor charged (docs/reference/checks.md#retry).
    await dependencies.files?.discard(outcome);
    return probes.run(check, context);
  };

  /** Runs a check. @returns null if the run ended its process twice; `endedProcesses` was called before the return */
  const probeUnlessFatal = async (
    run: QueuedRun,
    message: RunMessage,
    signal: AbortSignal,
  ): Promise<Outcome | null> => {
    try {
      return await probe(run, message, signal);
    } catch (error) {
      if (!(error instanceof KillsItsProcess) || !dependencies.endedProcesses) throw error;
      await dependencies.endedProcesses(run, region, error.how);
      return null;
    }
  };

  /**
   * Returns whether this worker can run a type. Returns false only if no other worker of the region can run the type
   * either.
   *
   * @throws LocalFailure another worker of the region can run the type, so that worker should get the run
   */
  const canRun = async (type: CheckTypeName): Promise<boolean> => {
    if (probes.types.includes(type)) return true;
    const abilities = await dependencies.runners?.abilities();
    if (abilities && !abilities.get(region.id)?.includes(type)) return false;
    throw new LocalFailure(`This runner cannot run checks of type ${type}.`);
  };

  const whyNot = async (run: QueuedRun, message: RunMessage): Promise<NotBegun | null> => {
    if (clock.now() > run.not_after) return 'late';
    if (!(await dependencies.wanted(run, 'begin'))) return 'unwanted';
    return (await canRun(message.definition.type)) ? null : 'unserved';
  };

  const perform = async (
    run: QueuedRun,
    message: RunMessage,
    delivery: Delivery,
    signal: AbortSignal,
  ): Promise<'stored' | 'none'> => {
    const told = dependencies.began?.(run);
    const began = clock.monotonic();
    const outcome = await probeUnlessFatal(run, message, signal);
    if (!outcome) {
      observe.dropped?.('ended_processes');
      return 'none';
    }
    const milliseconds = clock.monotonic() - began;
    try {
      return await record(run, message, delivery, { outcome, milliseconds, told });
    } finally {
      await dependencies.files?.discard(outcome);
    }
  };

  /** Stores an outcome as the result of its run, if the outcome still counts. */
  const record = async (
    run: QueuedRun,
    message: RunMessage,
    delivery: Delivery,
    { outcome, milliseconds, told }: { outcome: Outcome; milliseconds: number; told: Promise<void> | undefined },
  ): Promise<'stored' | 'none'> => {
    const silent = mayBeOwnOutage(outcome) && ((await dependencies.anchors?.silent()) ?? false);
    const suspect = silent || outcome.suspect === true;
    if (suspect) observe.suspect?.();
    await told;
    if (!(await dependencies.wanted(run, 'store'))) {
      observe.dropped?.('unwanted');
      return 'none';
    }
    const outdated = (await dependencies.outdated?.(run)) ?? false;
    const resultId = resultIdOf(run.run_id, region);
    const owner = { type: message.definition.type, organizationId: message.organization_id, resultId };
    const storedFiles = (await dependencies.files?.store(outcome, owner)) ?? { outcome, artifacts: [] };
    const recording = { resultId, region, server: dependencies.server(), now: clock.now(), outdated, suspect };
    const result = resultEvent(run.run_id, subjectOf(message), storedFiles.outcome, recording);
    const since = message.again === true || delivery.mayBeRepeated() ? message.slot : null;
    const leisurely = !stopping.signal.aborted && !news.is(message, outcome);
    const { alreadyStored, differs } = await results
      .store(stream, result, { leisurely, since })
      .catch(async (error: unknown): Promise<BatchedOutcome> => {
        // Remove the files only if the result was certainly not stored. Otherwise, the stored result may refer to them.
        if (!(error instanceof StoreUnavailable)) await dependencies.files?.remove(storedFiles.artifacts);
        throw error;
      });
    if (differs) await dependencies.files?.remove(storedFiles.artifacts);
    if (alreadyStored) observe.repeated?.();
    else observe.stored?.({ type: message.definition.type, outcome, milliseconds });
    return 'stored';
  };

  /**
   * Puts a run that must wait at the end of its queue, so that other runs come first. If the queue is full, the run is
   * dropped, like any run that is offered to a full queue. Without this rule, waiting runs could eventually occupy all
   * slots.
   *
   * @returns null if the run could not be put back, for example because the store does not respond. The caller then
   * retries until the run is late. The caller must not report a failed delivery to the queue: after several failures
   * the queue would park the run, although the run is not faulty.
   */
  const goBack = async (run: QueuedRun, message: RunMessage, signal: AbortSignal): Promise<'waits' | 'none' | null> => {
    await pause(clock, BACK_AFTER_MS, signal);
    try {
      // If the queue does not learn that the present message was handled, it delivers this message again. The run may
      // then already have a result when the new message is handled.
      await dependencies.queue.offer({ ...run, payload: { ...message, again: true } });
      return 'waits';
    } catch (error) {
      if (error instanceof QueueFull) {
        observe.dropped?.('refused');
        return 'none';
      }
      observe.trouble?.(run, error);
      return null;
    }
  };

  /** Executes a run. Drops the run if it must not start, and puts it back into the queue if it must wait. */
  const take = async (run: QueuedRun, delivery: Delivery, signal: AbortSignal): Promise<Ended> => {
    const message = messageOf(run);
    for (;;) {
      const reason = await whyNot(run, message);
      if (reason) {
        observe.dropped?.(reason);
        return 'none';
      }
      const end = longRuns.begin(message.definition);
      if (end) return perform(run, message, delivery, signal).finally(end);
      const back = await goBack(run, message, signal);
      if (back) return back;
    }
  };

  const handle = async (run: QueuedRun, delivery: Delivery): Promise<void> => {
    const controller = new AbortController();
    running.set(run.run_id, controller);
    try {
      if (stopping.signal.aborted) throw new RunAborted();
      const ended = await take(run, delivery, controller.signal);
      if (ended !== 'waits') dependencies.finished?.(run, ended);
    } catch (error) {
      if (!(error instanceof RunAborted)) {
        observe.trouble?.(run, error);
        throw error;
      }
      observe.dropped?.('aborted');
      dependencies.finished?.(run, 'none');
      // The worker is stopping. Return the run to the queue, so that another worker can execute it.
      if (stopping.signal.aborted) throw error;
    } finally {
      // If the run was put back into the queue, it may already have been delivered again. The new delivery has another
      // controller.
      if (running.get(run.run_id) === controller) running.delete(run.run_id);
    }
  };

  return {
    types: probes.types,
    start: () => {
      const { queue, concurrency, concurrencyOf } = dependencies;
      const { signal } = stopping;
      consuming = Promise.all(
        queuesOfRegion(region, probes.types).map(({ name, type }) =>
          queue.consume(name, handle, {
            concurrency: type === null ? concurrency : (concurrencyOf?.[type] ?? 1),
            signal,
          }),
        ),
      );
    },
    stop: async () => {
      stopping.abort();
      for (const controller of running.values()) controller.abort(new RunAborted());
      results.flush();
      await consuming;
    },
    cancel: (runId) => {
      running.get(runId)?.abort(new RunAborted());
    },
    inFlight: () => running.size,
  };
};
