import { planPage, type FanOut } from '../../domain/delivery/decide.ts';
import {
  causeKey,
  shardOf,
  type Cause,
  type DeliveryEvent,
  type FanOutAdvanced,
} from '../../domain/delivery/events.ts';
import { streamOf } from '../../domain/decider.ts';
import type { NewEvent } from '../../domain/event.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { MAX_NOTIFICATION_DELAY } from '../../domain/incident/rules.ts';
import { instantOf, millisecondsOf } from '../../domain/time.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import type { ReactorContext } from '../context.ts';
import { defineReactor } from '../engine/define.ts';
import { retryItemAt, done, type ItemResult } from '../engine/item-result.ts';
import type { ChangeList } from '../engine/lists.ts';
import { coalesce } from '../engine/coalesce.ts';
import type { ItemContext } from '../engine/work.ts';
import type { CauseItem, CauseKind, CauseHandlers } from './cause.ts';
import { createCauseContext } from './cause-context.ts';
import { countPlannedAhead, readBackloggedTargets } from './backlogged-targets.ts';

export interface FanOutDependencies {
  /** Returns milliseconds since 1970. */
  clock: () => number;
  /** Appends events to a stream of the results log atomically. */
  append: (stream: string, events: readonly NewEvent[]) => Promise<unknown>;
  /**
   * Reads how far the deliveries of a cause are planned. Considers everything stored before the call. Null if planning
   * has not started.
   */
  progress: (cause: Cause) => Promise<FanOut | null>;
  /**
   * Counts an organization's deliveries that wait for their first attempt. Ignores deliveries to targets with a large
   * backlog.
   */
  ahead: (organizationId: string) => Promise<number>;
}

/** Number of receivers that are planned in one event. */
const PAGE = 500;
/** Number of pages of receivers that are planned for a cause before other causes are planned. */
const PAGES = 5;
/** Planning for an organization pauses while this many of its deliveries wait for their first attempt. */
const MOST_AHEAD = 10_000;
/** Delay before a paused or blocked cause is tried again. */
const PAUSE_MS = 1_000;
/**
 * A cause stops blocking later causes of its series if there was no attempt to plan its messages for this long, in
 * milliseconds.
 */
const GONE_MS = 600_000;
/**
 * Maximum delay of the messages about a cause, milliseconds. A longer delay means that the clock was set back.
 */
const LONGEST_HOLD_MS = MAX_NOTIFICATION_DELAY * 1_000;

/** Returns the name of the reactor that plans the deliveries of causes of a kind. */
export const fanOutName = ({ kind }: Pick<CauseKind, 'kind'>): string => `${kind.replaceAll('_', '-')}-deliveries`;

/**
 * Declares the reactor for a kind of cause. It plans a delivery to each receiver of a cause, page by page. Each page is
 * stored together with the progress, so an interrupted reactor resumes where it stopped. Causes from before the reactor
 * was first active produce no messages, unless the kind sets `countsEarlier`. A cause without receivers is not
 * recorded, unless the kind sets `isRemembered`.
 */
export const fanOut = <Item extends CauseItem>({
  kind,
  list,
  countsEarlier = false,
  isRemembered = never,
  bind,
}: CauseKind<Item>) =>
  defineReactor<Item, ItemContext, ChangeList<Item>>({
    name: fanOutName({ kind }),
    does: `plans the messages about causes of the kind \`${kind}\``,
    countsEarlier,
    list,
    acting: (context) => {
      const { receivers } = bind(createCauseContext(context));
      return planDeliveries({ kind, isRemembered, receivers }, planningIn(context));
    },
  });

const never = (): boolean => false;

/** Creates the dependencies of planning. Concurrent reads of progress share one wait for the read model. */
const planningIn = ({ clock, results, readers, read, coordination }: ReactorContext): FanOutDependencies => {
  const foldedAll = coalesce(() => readers.foldedAll(deliveries));
  return {
    clock,
    append: (stream, events) => results.append(stream, events, 'any'),
    progress: async (cause) => {
      // Wait until the read model shows every page stored before this call.
      await foldedAll();
      return read(deliveries).fan_outs.get(causeKey(cause));
    },
    ahead: async (organizationId) =>
      countPlannedAhead(read(deliveries).due_deliveries, organizationId, await readBackloggedTargets(coordination)),
  };
};

const planDeliveries = <Item extends CauseItem>(
  {
    kind,
    isRemembered,
    receivers,
  }: Required<Pick<CauseKind<Item>, 'kind' | 'isRemembered'>> & Pick<CauseHandlers<Item>, 'receivers'>,
  { clock, append, progress, ahead }: FanOutDependencies,
) => {
  const isFirst = serialiseSeries();
  const planPages = async (item: Item, signal: AbortSignal): Promise<ItemResult> => {
    const { cause, organization_id: organizationId } = item;
    let before = await progress(cause);
    for (let pages = 0; !before?.complete; pages++) {
      signal.throwIfAborted();
      if (pages === PAGES) return retryItemAt(clock());
      if ((await ahead(organizationId)) >= MOST_AHEAD) return retryItemAt(clock() + PAUSE_MS);
      const page = await receivers(item, before?.after ?? null, PAGE);
      if (page.length === 0 && !before && !isRemembered(item)) return done();
      const now = instantOf(clock());
      const events = planPage(item, page, before, { complete: page.length < PAGE, now });
      const by = { by: fanOutName({ kind }), organizationId, causeId: cause.id, now };
      const progressed = progressIn(events);
      await append(
        streamOf('deliveries', shardOf(item)),
        events.map((event) => systemEvent(event, { ...by, id: idOf(event, progressed) })),
      );
      before = progressed;
    }
    return done();
  };
  return async (item: Item, { signal }: Pick<ItemContext, 'signal'>): Promise<ItemResult> => {
    const { series, cause } = item;
    // Register the cause even if the sending of its messages is delayed, so that the cause keeps its position in the
    // series.
    const firstInSeries = series === null ? null : isFirst(series, causeKey(cause), clock());
    const holdEnd = holdEndOf(item, clock());
    if (holdEnd !== null) return retryItemAt(holdEnd);
    if (series !== null && !firstInSeries) return retryItemAt(clock() + PAUSE_MS);
    const ending = await planPages(item, signal);
    if (ending.end === 'done') firstInSeries?.over();
    return ending;
  };
};

/**
 * Returns when the delay of a cause ends, in milliseconds since 1970. Null if the delay is over, or is so long that a
 * clock that was ahead must have set it.
 */
const holdEndOf = ({ not_before }: Pick<CauseItem, 'not_before'>, now: number): number | null => {
  if (not_before === undefined) return null;
  const until = millisecondsOf(not_before);
  return until > now && until <= now + LONGEST_HOLD_MS ? until : null;
};

/**
 * Serialises planning within each series, so that messages of an older cause are planned before those of a newer one.
 * The returned function registers a cause. It returns null if an older cause of the series must be planned first.
 */
const serialiseSeries = () => {
  /** for each series, its causes (oldest first) with the time when each was last registered, milliseconds since 1970 */
  const open = new Map<string, Map<string, number>>();
  return (series: string, cause: string, now: number): { over: () => void } | null => {
    const causes = open.get(series) ?? new Map<string, number>();
    open.set(series, causes.set(cause, now));
    for (const [other, at] of causes) if (now > at + GONE_MS || now < at - GONE_MS) causes.delete(other);
    const [first] = causes.keys();
    if (first !== cause) return null;
    return {
      over: () => {
        causes.delete(cause);
        if (causes.size === 0) open.delete(series);
      },
    };
  };
};

/** Returns the id of an event. Ids are derived from the cause and the page, so a page planned twice is stored once. */
const idOf = ({ type }: DeliveryEvent, { cause, page }: FanOutAdvanced): string =>
  derivedUuid(`${type === 'FanOutAdvanced' ? 'fan-out' : 'deliveries'}/${causeKey(cause)}/${page}`);

const progressIn = (events: readonly DeliveryEvent[]): FanOutAdvanced => {
  const last = events.at(-1);
  if (last?.type !== 'FanOutAdvanced') throw new Error('The last event of a page is not FanOutAdvanced.');
  return last.data;
};
