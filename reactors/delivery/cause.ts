import type { CauseOf, Receiver } from '../../domain/delivery/decide.ts';
import type { Instant } from '../../domain/time.ts';
import type { DueDeliveryDocument } from '../../projections/deliveries/projection.ts';
import type { Message, Settings } from '../../notifiers/notifier.ts';
import type { Collections, Projection } from '../../projections/engine/fold/define.ts';
import type { Read } from '../../projections/readers.ts';
import type { ReactorContext } from '../context.ts';
import type { ReactorList } from '../engine/define.ts';
import type { ChangeList, ListItem } from '../engine/lists.ts';
import { changes, type ItemIn, type ListsIn } from '../engine/on-lists.ts';
import type { ItemContext } from '../engine/work.ts';

/** Something that receivers get a message about. */
export interface CauseItem extends ListItem, CauseOf {}

/** A message to a receiver, and its target. */
export interface Composed {
  message: Omit<Message, 'id'>;
  settings: Settings;
}

/** A message that must not be sent yet. */
export interface Postponed {
  /** when it may be */
  notBefore: Instant;
}

/** The part of a delivery that says what goes to whom, and how long it has waited. */
export type ToCompose = Pick<
  DueDeliveryDocument,
  'id' | 'organization_id' | 'cause' | 'receiver_id' | 'notifier' | 'created_at'
>;

/** What kinds of causes are made from. */
export interface CauseContext extends Pick<
  ReactorContext,
  'readAfter' | 'clock' | 'publicUrl' | 'mails' | 'renderTexts' | 'shownIncident' | 'shownAlert'
> {
  /** Reads what is certain: a delivery whose cause or receiver is missing is given up for good. */
  read: Read;
  /** opens addresses and secrets of receivers, and distinguishes targets without revealing them */
  keys: Pick<ReactorContext['keys'], 'open' | 'fingerprint'>;
  /** Whether one more message to a receiver waits for a digest; one that does not is counted. */
  isSurplus: (receiverId: string) => Promise<boolean>;
}

/** What a kind says of its causes in a process. */
export interface Telling<Item extends CauseItem = CauseItem> {
  /**
   * At most `limit` receivers of a cause with ids after a given one, in the order of their ids. If fewer than `limit`
   * come, they are the last.
   */
  receivers: (cause: Item, after: string | null, limit: number) => Promise<readonly Receiver[]>;
  /** The message, as things are now; null: the cause or the receiver no longer exists, or must not get it. */
  compose: (delivery: ToCompose) => Promise<Composed | Postponed | null>;
}

/**
 * One kind of causes: where they are found, who gets a message about one, and which. Each kind has its own file beside
 * this one; its events, receivers and words are those of its resource.
 */
export interface CauseKind<Item extends CauseItem = CauseItem> {
  /** name in the deliveries: `incident_update` */
  kind: string;
  /** where its causes are listed: `causesIn(…)` */
  list: ReactorList<Item, ItemContext, ChangeList<Item>>;
  /** whether causes from before its reactor was first active count, while they are worth telling; default: they don't */
  countsEarlier?: boolean;
  /**
   * Whether it has to be known later that nobody was told of a cause, since only those are told of its end who were told
   * of it; default: a cause without receivers leaves no event behind
   */
  isRemembered?: (cause: Item) => boolean;
  tell: (context: CauseContext) => Telling<Item>;
}

/** Any kind of causes. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyCauseKind = CauseKind<any>;

/** Messages that stand for several: they are planned by the reactor that makes digests. */
export interface DigestKind {
  kind: string;
  tell: (context: CauseContext) => Pick<Telling, 'compose'>;
}

/** Causes planned at a time, unless a kind says otherwise: each may have very many receivers. */
const PLANNED_AT_ONCE = 4;

/** A collection whose documents are causes. */
export const causesIn = <C extends Collections, N extends ListsIn<C, CauseItem>>(
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  projection: Projection<C, any>,
  collection: N,
  { atOnce = PLANNED_AT_ONCE }: { atOnce?: number } = {},
): ReactorList<ItemIn<C, N, CauseItem>, ItemContext, ChangeList<ItemIn<C, N, CauseItem>>> =>
  changes<ItemIn<C, N, CauseItem>>(projection, collection, { atOnce });
