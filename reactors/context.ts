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

/** Receives events of message delivery, for example to count attempts. */
export interface DeliveryObserver {
  tried: (notifier: string, outcome: 'delivered' | 'failed' | 'given_up' | 'unavailable', milliseconds: number) => void;
  /** called when many messages wait for `targets` targets that are slow or paused */
  targetsBacklogged: (targets: number) => void;
}

/** Writes a line to the process log. */
export type WriteLine = (level: 'info' | 'warn', fields: Record<string, unknown>, line: string) => void;

/** What reactors need from outside. `service/schedule/reactors.ts` creates it once per process. */
export interface ReactorParts extends Pick<
  CommandDependencies,
  'handle' | 'keys' | 'lookUpTexts' | 'mails' | 'payments' | 'plans'
> {
  /** Returns milliseconds since 1970. */
  clock: () => number;
  main: EventStore;
  results: EventStore;
  /**
   * Appends an event to a stream of the results log, unless it is already there.
   *
   * @param since the earliest time at which it can have been stored, milliseconds since 1970
   */
  appendMissing: (stream: string, event: NewEvent, since: number) => Promise<{ position: bigint }>;
  /** appends to the results log, many events in one append */
  batches: Pick<Batches, 'store'>;
  readers: Pick<Readers, 'for' | 'sure' | 'foldedAll'>;
  statuses: Pick<Statuses, 'of' | 'folds' | 'watch' | 'passed' | 'onWritten'>;
  /** appends to the logs that other processes fold; null where this process folds */
  logWatches: LogWatches | null;
  coordination: Pick<Coordination, 'read' | 'write'>;
  /** where the files of reports are stored */
  artifacts: Pick<Artifacts, 'store' | 'remove'>;
  startRun: StartRun;
  /** What live runners support now. */
  served: () => Promise<ServedRegions>;
  /** whether the queue of runs survives the end of this process */
  queueIsDurable: boolean;
  /** id of the organization that owns alerts of the service itself */
  operatorsOrganization: string;
  askWebhook: RequestWebhook;
  /** by name */
  notifiers: ReadonlyMap<string, Notifier>;
  /** messages of one notifier that may start per second */
  perSecond: number;
  /** `PUBLIC_URL`, the base of links in messages; null: messages have no links */
  publicUrl: string | null;
  /** Renders the HTML and text forms of an e-mail; never fails. */
  renderTexts: (texts: MailTexts) => Promise<RenderedTexts>;
  /** Renders the file of a report outside the thread that serves requests. */
  renderReport: (content: ReportContent, format: ReportFormat, signal: AbortSignal) => Promise<Uint8Array>;
  /** An incident in the form of API responses, for programs. */
  shownIncident: (incident: JoinedIncident) => Readonly<Record<string, unknown>>;
  /** An alert and its related objects in the form of API responses for a viewer; null: there is no such alert. */
  shownAlert: (organizationId: string, alertId: string) => Promise<Record<string, unknown> | null>;
  line: WriteLine;
  /** called for each attempt to deliver a message */
  observer?: DeliveryObserver;
  /** called for each mailing once none of its messages is waiting */
  mailingEnded?: (totals: MailingTotals) => void;
}

/** What all reactors of a process work with. */
export interface ReactorContext extends ReactorParts {
  /** Reads folded documents once the read model has caught up with its log. */
  read: Read;
  /**
   * For decisions that are final because a document is missing: reads with certainty (projections/engine/readers.ts).
   */
  sure: Read;
  /** Reads a state that includes a position of `main`. */
  readAfter: (position: number) => Read;
  /** A projection as a reactor's list. `collections` hold the list; default: any collection of the projection. */
  todo: (projection: AnyProjection, ...collections: string[]) => TodoProjection;
  /**
   * Marks the end of a projection's log. @returns the position of the mark; a list that has passed it contains
   * everything before
   */
  markLogEnd: (projection: AnyProjection) => Promise<number>;
  /** Marks the end of a projection's log and waits briefly until it is folded. @returns whether it is */
  caughtUp: (projection: AnyProjection) => Promise<boolean>;
  /**
   * Appends an event to a stream of the results log.
   *
   * @param since the earliest time at which it can have been stored before, milliseconds since 1970; null: it cannot be
   * stored yet
   */
  appendResult: (stream: string, event: NewEvent, since: number | null) => Promise<{ position: bigint }>;
}

/** How long a list is polled frequently until it shows everything up to a mark, milliseconds. */
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
      // Nothing else waits for a mark, because no list folds it.
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
