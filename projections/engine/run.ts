import { setMaxListeners } from 'node:events';
import { defer, exhaustMap, interval, repeat, timer } from 'rxjs';
import { readDamageReports } from './generations/damage-reports.ts';
import { createStatePublisher, type StatePublisher } from './status/published-state.ts';
import { LogFeed } from './feed/log-feed.ts';
import { TIMINGS, type EngineOptions, type EngineTimings } from './options.ts';
import { causeOf } from './status/error-cause.ts';
import { createStatusBatcher } from './feed/status-batcher.ts';
import { Projector } from './projector.ts';
import { OtherVersions } from './generations/other-versions.ts';
import { retainedFrom } from './fold/retention.ts';
import { scheduleCheckpoints } from './fold/checkpoint-storing.ts';
import { createWriteDemand } from './status/write-reports.ts';
import { respondToSwitches } from './generations/switch.ts';

/**
 * Keeps all projections up to date, in the calling thread, until the signal is aborted. Neither opens nor closes
 * stores.
 *
 * @returns a promise that resolves when all checkpoints are stored and all leases are released
 */
export const runEngine = async (options: EngineOptions): Promise<void> => {
  const { stores, marks, coordination, log, signal } = options;
  const timings = { ...TIMINGS, ...options.timings };
  const demand = options.demand ?? createWriteDemand();
  // All projections and retiring generations listen to the signal, so the number of listeners is not limited.
  setMaxListeners(0, signal);
  const feedOf = (name: 'main' | 'results'): LogFeed =>
    new LogFeed({ store: stores[name], mark: marks[name], retry: timings.retry, log, signal });
  const feeds = { main: feedOf('main'), results: feedOf('results') };
  let storeSoon = (): void => undefined;
  const outlet = createStatusBatcher((statuses, written) => {
    options.onStatus(statuses, written);
    storeSoon();
  });

  const publishers: StatePublisher[] = [];
  const projectors = options.projections.map((projection) => {
    const publisher = createStatePublisher(coordination, projection, { folds: timings.beat !== null });
    publishers.push(publisher);
    return new Projector({
      ...options,
      projection,
      timings,
      positionsFollowed: options.positionsFollowed ?? false,
      demand,
      reportWritten: outlet.reportWritten,
      store: stores[projection.log],
      feed: feeds[projection.log],
      publish: (status) => {
        outlet.publish(status);
        publisher.publish(status);
      },
      log: (level, message, fields = {}, cause?) => {
        log({ level, message, fields: { projection: projection.name, ...fields }, ...(cause && { cause }) });
      },
    });
  });

  /** Wraps a task, so that failures are logged. The task is repeated at its next interval, or after a restart. */
  const attempting = (what: string, task: () => Promise<unknown>) => (): Promise<unknown> =>
    task().catch((error: unknown) => {
      if (signal.aborted) return;
      log({ level: 'warn', message: `${what} failed.`, fields: {}, cause: causeOf(error) });
    });
  const regularly = (milliseconds: number, what: string, task: () => Promise<unknown>) =>
    interval(milliseconds)
      .pipe(exhaustMap(attempting(what, task)))
      .subscribe();
  storeSoon = scheduleCheckpoints(projectors, {
    spacing: timings.checkpoint,
    attempt: (task) => attempting('Storing checkpoints', task)(),
    signal,
  });
  const otherVersions = createOtherVersions({ ...options, timings }, projectors);
  let somethingIsBuilt = false;
  /** Tests whether this engine holds a lease. Only then it may respond to requests to switch generations. */
  const isAtWork = (): boolean => projectors.some(({ holdsLease }) => holdsLease);
  const lookAtCatalogue = async (): Promise<void> => {
    somethingIsBuilt = false;
    if (!isAtWork()) return;
    const catalogue = await coordination.catalogue();
    otherVersions.notice(catalogue);
    somethingIsBuilt = await respondToSwitches(projectors, coordination, catalogue);
  };
  const restartDamaged = async (): Promise<void> => {
    if (!isAtWork()) return;
    const damaged = await readDamageReports(coordination);
    for (const projector of projectors) {
      const number = damaged.get(projector.key);
      if (number !== undefined) projector.restartIfDamaged(number);
    }
  };
  const sweep = async (): Promise<void> => {
    const before = await retainedFrom(coordination);
    if (before !== null) await Promise.all(projectors.map((projector) => projector.sweep(before)));
  };
  const timers = [
    regularly(timings.sweep, 'Sweeping expired documents', sweep),
    regularly(timings.damaged, 'Looking for damaged generations', restartDamaged),
    defer(attempting('Looking for rebuilt generations', lookAtCatalogue))
      .pipe(repeat({ delay: () => timer(somethingIsBuilt ? timings.switchPoll : timings.switchIdle) }))
      .subscribe(),
  ];
  // While there is no demand for reports of writes, the engine does not record which documents were written. So the first report
  // says that any document might have changed.
  const endDemand = demand.watch(() => {
    if (demand.wanted) for (const projector of projectors) projector.reportUnknown();
  });
  const { beat } = timings;
  if (beat !== null) {
    timers.push(
      regularly(beat, 'Publishing states', () => Promise.all(publishers.map((publisher) => publisher.repeat()))),
    );
  }

  try {
    await Promise.all(projectors.map((projector) => projector.run()));
  } finally {
    for (const running of timers) running.unsubscribe();
    endDemand();
    await otherVersions.end();
    outlet.flush();
  }
};

/** Creates the part of the engine that drops read models of other releases. */
const createOtherVersions = (
  { clock = Date.now, log, ...options }: EngineOptions & { timings: EngineTimings },
  projectors: readonly Projector[],
): OtherVersions => {
  const byName = new Map(projectors.map((projector) => [projector.projection.name, projector]));
  return new OtherVersions({
    ...options,
    release: options.release ?? options.projections,
    holdsLease: ({ name }) => byName.get(name)?.holdsLease ?? false,
    clock,
    log: (level, message, error) => {
      log({ level, message, fields: {}, ...(error !== undefined && { cause: causeOf(error) }) });
    },
  });
};
