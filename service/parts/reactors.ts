import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { Handle } from '../../commands/engine/handle.ts';
import { checkStatusReactor } from '../../reactors/check-status.ts';
import { creditLimitsReactor } from '../../reactors/credit-limits.ts';
import { emailDomainsReactor } from '../../reactors/email-domains.ts';
import { executionDeadlinesReactor, type ExecutionDeadlinesDependencies } from '../../reactors/execution-deadlines.ts';
import { forgottenKeysReactor } from '../../reactors/forgotten-keys.ts';
import { jobResultsReactor } from '../../reactors/job-results.ts';
import { jobRunsReactor } from '../../reactors/job-runs.ts';
import { mailingTotalsReactor, type MailingTotalsDependencies } from '../../reactors/mailings/totals.ts';
import { planCreditsReactor } from '../../reactors/plan-credits.ts';
import { usage } from '../../projections/usage/projection.ts';
import { SELF_HOSTED, type Plans } from '../../domain/organization/plans.ts';
import { maintenanceReactor } from '../../reactors/maintenance.ts';
import { changeList, dueList, type TodoProjection } from '../../reactors/engine/lists.ts';
import type { DeliveryObserver } from '../../reactors/delivery/deliver.ts';
import { CAUSE_KINDS, DIGEST_KINDS } from '../../reactors/delivery/kinds.ts';
import { runReactor, type Reactor } from '../../reactors/engine/loop.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { StartRun } from '../../domain/check/run.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import { checkVerdicts } from '../../projections/check-verdicts/projection.ts';
import type { Notifier } from '../../notifiers/notifier.ts';
import type { AskWebhook } from '../../notifiers/webhook/ask.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Read } from '../../projections/readers.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import { keysToForget } from '../../projections/keys-to-forget/projection.ts';
import { heartbeatPings } from '../../projections/heartbeat-pings/projection.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import { components } from '../../projections/components/projection.ts';
import { emailDomains } from '../../projections/email-domains/projection.ts';
import { executionGroups } from '../../projections/execution-groups/projection.ts';
import { jobOutcomes } from '../../projections/job-outcomes/projection.ts';
import { markLog } from '../../projections/engine/feed/log-marks.ts';
import { maintenances } from '../../projections/maintenances/projection.ts';
import { jobs } from '../../projections/jobs/projection.ts';
import { statusesSetAt } from '../../queries/pages/components.ts';
import { creditsUsed } from '../../queries/organizations/credits.ts';
import { appendMissing } from '../../stores/event-store/append-missing.ts';
import type { Artifacts } from '../../stores/artifacts/port.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Keys } from '../../stores/keys/port.ts';
import { chatMovedBy } from '../../reactors/delivery/moved-chat.ts';
import { alertReactors } from './alerts.ts';
import { causeContext } from './causes.ts';
import { deliveryReactors } from './deliveries.ts';
import { heartbeatReactors, loggingHeartbeats } from './heartbeats.ts';
import { jobRunsSoFar } from './job-runs.ts';
import type { LogWatches } from './log-watch.ts';
import { loggingDomains, loggingStatus } from './reactor-lines.ts';
import { paymentReactors } from './payments.ts';
import { reportReactors } from './reports.ts';
import { sharedly } from './sharedly.ts';
import { subscriptionReactors } from './subscriptions.ts';
import { todoOf } from './todo-lists.ts';
import type { Troubles } from '../troubles.ts';

/** How long a list is asked for often until it shows what was there before. */
const MARK_WAIT_MS = 2_000;

/** What deliveries need. */
export interface Telling {
  keys: Keys;
  askWebhook: AskWebhook;
  /** by name */
  notifiers: ReadonlyMap<string, Notifier>;
  /** `PUBLIC_URL`; null: there is none */
  publicUrl: string | null;
  /** whether e-mail is sent */
  mails: boolean;
  /** messages of a notifier that begin in a second */
  perSecond: number;
  /** called for each attempt to deliver a message */
  observer?: DeliveryObserver;
  /** called when no message of a mailing waits any more */
  mailed?: MailingTotalsDependencies['ended'];
}

export interface ReactorsOptions {
  handle: Handle;
  /** what organizations may have */
  plans: Plans;
  /** id of the organization that alerts of the service itself belong to */
  operatorsOrganization: string;
  main: EventStore;
  /** the results log */
  results: EventStore;
  startRun: StartRun;
  /** whether the queue of runs keeps them when this process ends */
  queueIsDurable: boolean;
  telling: Telling;
  lookUpTexts: CommandDependencies['lookUpTexts'];
  readers: Pick<Readers, 'for' | 'sure'>;
  statuses: Pick<Statuses, 'of' | 'folds' | 'watch' | 'passed'>;
  /** appends to the logs, where other processes fold them */
  logWatches?: LogWatches | null;
  coordination: Coordination;
  /** where the files of reports are */
  artifacts: Artifacts;
  payments: CommandDependencies['payments'];
  /** milliseconds since 1970 */
  clock: () => number;
  /** Calls back when a command has asked reactors for something. @returns ends that */
  asked: (callback: () => void) => () => void;
  troubles: Troubles;
  logger: Logger;
}

export interface Reactors {
  all: readonly Reactor[];
  /** Resolves when what they are doing is finished. */
  stop: () => Promise<void>;
  /** Rejects when one of them had to stop. */
  ended: Promise<void>;
}

/** Runs all reactors: what has to be done because of the time or of other events. */
export const startReactors = (options: ReactorsOptions): Reactors => {
  const { coordination, clock, asked, troubles, logger } = options;
  const stopping = new AbortController();
  // Each reactor listens, and Node.js takes more than ten listeners for a leak.
  setMaxListeners(0, stopping.signal);
  const all = reactorsOf(options);
  const running = all.map((reactor) =>
    runReactor(reactor, {
      coordination,
      clock,
      asked,
      log: (level, message, fields, error) => {
        if (error === undefined) logger[level](fields, message);
        else troubles.tell(message, error);
      },
      signal: stopping.signal,
    }),
  );
  const ended = Promise.all(running).then(() => undefined);
  // The failure reaches those who wait for the end; nobody has to wait.
  ended.catch(() => undefined);
  return {
    all,
    ended,
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
};

/** Every reactor. */
export const reactorsOf = ({
  handle,
  plans = SELF_HOSTED,
  operatorsOrganization = '',
  main,
  results,
  startRun,
  queueIsDurable = false,
  readers,
  statuses,
  logWatches = null,
  coordination = NOWHERE,
  artifacts = NO_FILES,
  payments = null,
  telling = NOBODY,
  lookUpTexts = nothing,
  clock = Date.now,
  logger,
}: Pick<ReactorsOptions, 'handle' | 'main' | 'results' | 'startRun' | 'readers' | 'statuses' | 'logWatches'> &
  Partial<
    Pick<
      ReactorsOptions,
      'telling' | 'lookUpTexts' | 'plans' | 'payments' | 'clock' | 'logger' | 'operatorsOrganization' | 'queueIsDurable'
    >
  > & {
    coordination?: Pick<Coordination, 'read' | 'write'>;
    artifacts?: Pick<Artifacts, 'store' | 'remove'>;
  }): Reactor[] => {
  const read = readers.for({ appended: new Map() });
  const todo = (projection: AnyProjection): TodoProjection =>
    todoOf(projection, statuses, logWatches && logWatches[projection.log]);
  const markFor =
    (log: EventStore, { name }: AnyProjection) =>
    async (): Promise<number> => {
      const mark = await markLog(log, clock());
      // Nobody else waits for a mark, which no list folds.
      statuses.passed(name, mark, MARK_WAIT_MS).catch(() => undefined);
      return Number(mark);
    };
  const caughtUp = sharedly(async (): Promise<boolean> => {
    const mark = await markLog(results, clock());
    await statuses.passed(heartbeatPings.name, mark, MARK_WAIT_MS).catch(() => undefined);
    return todo(heartbeatPings).folded() >= Number(mark);
  });
  const appendResult: ExecutionDeadlinesDependencies['append'] = async (stream, event, since) =>
    since === null
      ? results.append(stream, [event], 'any')
      : (await appendMissing(results, stream, [event], since)).last;
  const causes = causeContext({ ...telling, plans, readers, todo, clock });
  return [
    checkStatusReactor({
      handle,
      clock,
      ...(logger && { changed: loggingStatus(logger) }),
      todo: todo(checkVerdicts),
      list: changeList(read(checkVerdicts).check_verdicts),
    }),
    ...alertReactors({ handle, clock, organizationId: operatorsOrganization, results, readers, read, todo }),
    executionDeadlinesReactor({
      log: results,
      append: appendResult,
      todo: todo(executionGroups),
      list: ({ appended }) => dueList(readers.for({ appended })(executionGroups).open_groups),
    }),
    jobRunsReactor({
      handle,
      startRun,
      queueIsDurable,
      markList: markFor(main, jobs),
      runs: jobRunsSoFar(results, readers),
      todo: todo(jobs),
      list: ({ appended }) => dueList(readers.for({ appended })(jobs).open_jobs),
      offered: (afterId, limit) =>
        read(jobs).open_jobs.find({
          where: { status: 'offered', ...(afterId !== null && { id: { $gt: afterId } }) },
          sort: { id: 1 },
          limit,
        }),
    }),
    jobResultsReactor({
      handle,
      clock,
      todo: todo(jobOutcomes),
      list: changeList(read(jobOutcomes).job_outcomes),
    }),
    maintenanceReactor({
      handle,
      todo: todo(maintenances),
      list: ({ appended }) => dueList(readers.for({ appended })(maintenances).due_maintenances),
      statusesSetAt: async (ids) =>
        ids.length === 0 ? null : statusesSetAt(await read(components).components.getMany(ids)),
    }),
    creditLimitsReactor({
      handle,
      plans,
      clock,
      todo: todo(checkResults),
      list: changeList(read(checkResults).credit_days),
      used: (organizationId, at) => creditsUsed({ read, organizationId, now: at }),
    }),
    planCreditsReactor({
      handle,
      plans,
      clock,
      todo: todo(usage),
      list: changeList(read(usage).changed_plans),
      used: (organizationId, at) => creditsUsed({ read, organizationId, now: at }),
    }),
    emailDomainsReactor({
      handle,
      lookUpTexts,
      ...(logger && { changed: loggingDomains(logger) }),
      todo: todo(emailDomains),
      list: ({ appended }) => dueList(readers.for({ appended })(emailDomains).email_domain_checks),
    }),
    ...heartbeatReactors({
      handle,
      clock,
      read,
      todo,
      append: appendResult,
      caughtUp,
      coordination,
      ...(logger && { changed: loggingHeartbeats(logger) }),
    }),
    mailingTotalsReactor({
      handle,
      clock,
      ...(telling.mailed && { ended: telling.mailed }),
      todo: todo(deliveries),
      list: changeList(read(deliveries).cause_totals),
    }),
    ...paymentReactors({ handle, plans, payments, readers, todo }),
    ...reportReactors({ handle, artifacts, readers, read, todo, clock }),
    forgottenKeysReactor({
      keys: telling.keys,
      todo: todo(keysToForget),
      list: changeList(read(keysToForget).keys_to_forget),
    }),
    ...subscriptionReactors({ ...telling, handle, readers, read, todo, clock }),
    ...deliveryReactors({
      ...telling,
      chatMoved: chatMovedBy({ handle }),
      results,
      markList: markFor(results, deliveries),
      readers,
      coordination,
      todo,
      kinds: Object.values(CAUSE_KINDS).map((kind) => kind(causes)),
      digestKinds: DIGEST_KINDS.map((kind) => kind(causes)),
      clock,
    }),
  ];
};

const nothing = (): never => {
  throw new Error('Nothing is done here.');
};

/** For a caller that has nothing to tell reactors of other processes. */
const NOWHERE: Pick<Coordination, 'read' | 'write'> = { read: async () => null, write: async () => undefined };

/** For a caller that makes no reports. */
const NO_FILES: Pick<Artifacts, 'store' | 'remove'> = { store: nothing, remove: nothing };

/** For a caller that only looks at pending deliveries. */
const NOBODY: Telling = {
  keys: { seal: nothing, open: nothing, forget: nothing, names: nothing, fingerprint: nothing, close: nothing },
  askWebhook: nothing,
  notifiers: new Map(),
  perSecond: 1,
  publicUrl: null,
  mails: false,
};

/** All reactors for a caller that does nothing itself: what waits on their lists can be counted. */
export const reactorsToLookAt = (read: Read): Reactor[] => {
  return reactorsOf({
    handle: Object.assign(nothing, { load: nothing }),
    main: { name: 'main' } as EventStore,
    results: { name: 'results' } as EventStore,
    startRun: nothing,
    readers: { for: () => read, sure: read },
    statuses: { of: nothing, folds: nothing, watch: nothing, passed: nothing },
  });
};
