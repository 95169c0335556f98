import type { CommandDependencies } from '../commands/dependencies.ts';
import type { StartRun } from '../domain/check/run.ts';
import type { ServedRegions } from '../domain/check/missing-runners.ts';
import type { NewEvent } from '../domain/event.ts';
import type { MailingTotals } from '../domain/mailing/events.ts';
import type { ReportContent } from '../domain/report/content.ts';
import type { ReportFormat } from '../domain/report/events.ts';
import type { MailTexts, RenderedTexts } from '../messages/mail/texts.ts';
import type { Notifier } from '../notifiers/notifier.ts';
import type { RequestWebhook } from '../notifiers/webhook/response.ts';
import { markLog } from '../projections/engine/feed/log-marks.ts';
import type { AnyProjection } from '../projections/engine/fold/define.ts';
import type { Readers } from '../projections/engine/readers.ts';
import type { Statuses } from '../projections/engine/status/statuses.ts';
import type { Read } from '../projections/readers.ts';
import type { JoinedIncident } from '../queries/pages/incidents.ts';
import type { Artifacts } from '../stores/artifacts/port.ts';
import type { Coordination } from '../stores/coordination/port.ts';
import type { Batches, EventStore, LogWatches } from '../stores/event-store/port.ts';
import type { TodoProjection } from './engine/lists.ts';
import { createTodoProjection } from './engine/todo-projection.ts';

/** Callbacks about message delivery, for example to count attempts. */
export interface DeliveryObserver {
  /** called after each attempt, with its duration in milliseconds */
  tried: (notifier: string, outcome: 'delivered' | 'failed' | 'given_up' | 'unavailable', milliseconds: number) => void;
  /** called when many messages wait for `targets` targets that are slow or paused */
  targetsBacklogged: (targets: number) => void;
}

/** Writes a line to the process log. */
export type WriteLine = (level: 'info' | 'warn', fields: Record<string, unknown>, line: string) => void;

/** Dependencies of reactors. `service/schedule/reactors.ts` creates them once per process. */
export interface ReactorParts extends Pick<
  CommandDependencies,
  'handle' | 'keys' | 'lookUpTexts' | 'mails' | 'payments' | 'plans'
> {
  /** Returns milliseconds since 1970. */
  clock: () => number;
  main: EventStore;
  results: EventStore;
  /**
   * Appends an event to a stream of the results log, unless an event with the same id is already in the log.
   *
   * @param since the earliest time at which the event can have been stored, in milliseconds since 1970. The search for
   * the event begins at this time
   */
  appendMissing: (stream: string, event: NewEvent, since: number) => Promise<{ position: bigint }>;
  /** stores events in the results log, combining many of them in one append */
  batches: Pick<Batches, 'store'>;
  readers: Pick<Readers, 'for' | 'sure' | 'foldedAll'>;
  statuses: Pick<Statuses, 'of' | 'folds' | 'watch' | 'passed' | 'onWritten'>;
  /** reports appended events to a process that does not fold the logs itself; null if this process folds them */
  logWatches: LogWatches | null;
  coordination: Pick<Coordination, 'read' | 'write'>;
  /** where the files of reports are stored */
  artifacts: Pick<Artifacts, 'store' | 'remove'>;
  startRun: StartRun;
  /** Returns the regions that have live runners, and the check types that these runners support. */
  served: () => Promise<ServedRegions>;
  /** whether the queue of runs survives the end of this process */
  queueIsDurable: boolean;
  /** id of the organization that owns the alerts about the service itself */
  operatorsOrganization: string;
  askWebhook: RequestWebhook;
  /** notifiers by name */
  notifiers: ReadonlyMap<string, Notifier>;
  /** maximum number of messages that a notifier starts per second */
  perSecond: number;
  /** `PUBLIC_URL`, the base of links in messages; null: messages have no links */
  publicUrl: string | null;
  /** Renders the HTML and text forms of an e-mail; never fails. */
  renderTexts: (texts: MailTexts) => Promise<RenderedTexts>;
  /** Renders the file of a report in a thread that serves no requests. */
  renderReport: (content: ReportContent, format: ReportFormat, signal: AbortSignal) => Promise<Uint8Array>;
  /** Returns an incident in the form of API responses, for receivers that are programs. */
  shownIncident: (incident: JoinedIncident) => Readonly<Record<string, unknown>>;
  /**
   * Returns an alert and its related objects as the API shows them to a viewer. Null if the alert does not exist.
   */
  shownAlert: (organizationId: string, alertId: string) => Promise<Record<string, unknown> | null>;
  line: WriteLine;
  /** notified of attempts to deliver messages */
  observer?: DeliveryObserver;
  /** called for each mailing after its final message was delivered or failed permanently */
  mailingEnded?: (totals: MailingTotals) => void;
}

/**
 * The dependencies of reactors, with readers and lists derived from them. All reactors of a process share one context.
 */
export interface ReactorContext extends ReactorParts {
  /**
   * Reads documents. If the read model is still catching up with its log, waits until it is live, but waits for no
   * particular event.
   */
  read: Read;
  /**
   * Reads for final decisions that rely on the absence of a document (`sure` in projections/engine/readers.ts).
   */
  sure: Read;
  /** Returns a reader of a state that contains all events of `main` up to `position`. */
  readAfter: (position: number) => Read;
  /**
   * Returns a projection as the list of a reactor. `collections` name the collections that contain its items. Default:
   * all collections of the projection.
   */
  todo: (projection: AnyProjection, ...collections: string[]) => TodoProjection;
  /**
   * Appends a marker event, which no read model shows, to a projection's log.
   *
   * @returns the position of the event. A list that has passed this position shows everything stored before the call
   */
  markLogEnd: (projection: AnyProjection) => Promise<number>;
  /**
   * Appends a marker event to a projection's log, and waits at most two seconds until the projection has folded the
   * event.
   *
   * @returns whether the projection has folded the marker event
   */
  caughtUp: (projection: AnyProjection) => Promise<boolean>;
  /**
   * Appends an event to a stream of the results log. If an earlier attempt might have stored the event, first looks for
   * the event in the log.
   *
   * @param since the earliest time at which an earlier attempt can have stored the event, in milliseconds since 1970;
   * null if there was no earlier attempt
   */
  appendResult: (stream: string, event: NewEvent, since: number | null) => Promise<{ position: bigint }>;
}

/** Maximum time of frequent polling while a projection has not folded a marker event, in milliseconds. */
const MARK_WAIT_MS = 2_000;

export const createReactorContext = (parts: ReactorParts): ReactorContext => {
  const { clock, main, results, appendMissing, readers, statuses, logWatches } = parts;
  const logs = { main, results };
  return {
    ...parts,
    read: readers.for({ appended: new Map() }),
    sure: readers.sure,
    readAfter: (position) => readers.for({ appended: new Map([['main', BigInt(position)]]) }),
    todo: (projection, ...collections) =>
      createTodoProjection(projection, collections, { statuses, appended: logWatches && logWatches[projection.log] }),
    markLogEnd: async ({ name, log }) => {
      const mark = await markLog(logs[log], clock());
      // Start polling here. No list folds marker events, so appending one does not trigger polling.
      statuses.passed(name, mark, MARK_WAIT_MS).catch(() => undefined);
      return Number(mark);
    },
    caughtUp: async ({ name, log }) => {
      const mark = await markLog(logs[log], clock());
      await statuses.passed(name, mark, MARK_WAIT_MS).catch(() => undefined);
      return statuses.of(name).position >= mark;
    },
    appendResult: (stream, event, since) =>
      since === null ? results.append(stream, [event], 'any') : appendMissing(stream, event, since),
  };
};
