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
import { instantOf } from '../../domain/time.ts';
import { changeWork } from '../engine/changes.ts';
import { done, type Ending } from '../engine/ending.ts';
import type { Reactor } from '../engine/loop.ts';
import type { ItemContext } from '../engine/work.ts';
import type { CauseItem, CauseKind } from './cause.ts';

export interface FanOutDependencies {
  /** milliseconds since 1970 */
  clock: () => number;
  /** Appends events to a stream of the results log, all or none. */
  append: (stream: string, events: readonly NewEvent[]) => Promise<unknown>;
  /** How far a cause is planned, by everything stored before this call; null: not at all. */
  progress: (cause: Cause) => Promise<FanOut | null>;
}

/** Receivers planned in one event. */
const PAGE = 500;
/** Causes planned at a time: more would get in each other's way. */
const AT_ONCE = 4;

/** The reactor that plans the deliveries of causes of this kind. */
export const fanOutName = ({ kind }: Pick<CauseKind, 'kind'>): string => `${kind.replaceAll('_', '-')}-deliveries`;

/**
 * Plans a delivery to each receiver of a cause, page by page. The progress is stored in the log together with each
 * page, so an interrupted reactor continues where it was. Nobody gets messages about what happened before the reactor
 * was first active.
 */
export const fanOutReactor = <Item extends CauseItem>(
  kind: CauseKind<Item>,
  dependencies: FanOutDependencies,
): Reactor => ({
  name: fanOutName(kind),
  countsEarlier: false,
  todo: kind.todo,
  work: changeWork(fanOutName(kind), kind.todo, kind.list, planDeliveries(kind, dependencies), { atOnce: AT_ONCE }),
});

const planDeliveries =
  <Item extends CauseItem>(
    { kind, receivers }: Pick<CauseKind<Item>, 'kind' | 'receivers'>,
    { clock, append, progress }: FanOutDependencies,
  ) =>
  async (item: Item, { signal }: Pick<ItemContext, 'signal'>): Promise<Ending> => {
    const { cause } = item;
    for (let before = await progress(cause); !before?.complete;) {
      signal.throwIfAborted();
      const page = await receivers(item, before?.after ?? null, PAGE);
      const now = instantOf(clock());
      const events = planPage(item, page, before, { complete: page.length < PAGE, now });
      const by = { by: fanOutName({ kind }), organizationId: item.organization_id, causeId: cause.id, now };
      const progressed = progressIn(events);
      await append(
        streamOf('deliveries', shardOf(item)),
        events.map((event) => systemEvent(event, { ...by, id: idOf(event, progressed) })),
      );
      before = progressed;
    }
    return done();
  };

/** A page planned again has the same ids, in case the first plan is not known. */
const idOf = ({ type }: DeliveryEvent, { cause, page }: FanOutAdvanced): string =>
  derivedUuid(`${type === 'FanOutAdvanced' ? 'fan-out' : 'deliveries'}/${causeKey(cause)}/${page.toString()}`);

const progressIn = (events: readonly DeliveryEvent[]): FanOutAdvanced => {
  const last = events.at(-1);
  if (last?.type !== 'FanOutAdvanced') throw new Error('A page does not hold its progress.');
  return last.data;
};
