import type { CauseOf, DeliveryReceiver } from '../../domain/delivery/decide.ts';
import type { Instant } from '../../domain/time.ts';
import type { DueDeliveryDocument } from '../../projections/deliveries/projection.ts';
import type { NotificationMessage, NotifierSettings } from '../../notifiers/notifier.ts';
import type { Collections, Projection } from '../../projections/engine/fold/define.ts';
import type { Read } from '../../projections/readers.ts';
import type { ReactorContext } from '../context.ts';
import type { ReactorList } from '../engine/define.ts';
import type { ChangeList, ListItem } from '../engine/lists.ts';
import { changes, type ItemIn, type ListsIn } from '../engine/list-declarations.ts';
import type { ItemContext } from '../engine/work.ts';

/** An event that receivers get a message about. */
export interface CauseItem extends ListItem, CauseOf {}

/** A message to a receiver, and its target. */
export interface Composed {
  message: Omit<NotificationMessage, 'id'>;
  settings: NotifierSettings;
}

/** A message that must not be sent yet. */
export interface Postponed {
  /** the earliest time to send it */
  notBefore: Instant;
}

/** The part of a delivery that identifies its cause and receiver, and when it was planned. */
export type DeliveryToCompose = Pick<
  DueDeliveryDocument,
  'id' | 'organization_id' | 'cause' | 'receiver_id' | 'notifier' | 'created_at'
>;

/** The dependencies of cause kinds. */
export interface CauseContext extends Pick<
  ReactorContext,
  'readAfter' | 'clock' | 'publicUrl' | 'mails' | 'renderTexts' | 'shownIncident' | 'shownAlert'
> {
  /** Reads with certainty, because a delivery whose cause or receiver is missing fails permanently. */
  read: Read;
  /** decrypts addresses and secrets of receivers, and distinguishes targets without revealing them */
  keys: Pick<ReactorContext['keys'], 'open' | 'fingerprint'>;
  /** Whether one more message to a receiver must wait for a digest. Counts the message if not. */
  isSurplus: (receiverId: string) => Promise<boolean>;
}

/** A cause kind's functions, bound to a process. */
export interface CauseHandlers<Item extends CauseItem = CauseItem> {
  /**
   * Up to `limit` receivers of a cause with ids after a given one, ordered by id. Fewer than `limit` means that there
   * are no more.
   */
  receivers: (cause: Item, after: string | null, limit: number) => Promise<readonly DeliveryReceiver[]>;
  /** The message for the present state; null: the cause or the receiver no longer exists, or must not receive it. */
  compose: (delivery: DeliveryToCompose) => Promise<Composed | Postponed | null>;
}

/**
 * A kind of cause: where its causes are listed, who receives a message about one, and its content. Each kind has its
 * own file in this folder; its events, receivers and texts belong to its resource.
 */
export interface CauseKind<Item extends CauseItem = CauseItem> {
  /** name in the deliveries, for example `incident_update` */
  kind: string;
  /** where its causes are listed: `causesIn(…)` */
  list: ReactorList<Item, ItemContext, ChangeList<Item>>;
  /** whether causes from before the reactor was first active count, while a message is still useful; default: false */
  countsEarlier?: boolean;
  /**
   * Whether a cause without receivers must be recorded too, because only those notified of the beginning are notified
   * of the end; default: it leaves no event behind
   */
  isRemembered?: (cause: Item) => boolean;
  bind: (context: CauseContext) => CauseHandlers<Item>;
}

/** Any kind of causes. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyCauseKind = CauseKind<any>;

/** A digest kind: one message that replaces several. The `digests` reactor plans them. */
export interface DigestKind {
  kind: string;
  bind: (context: CauseContext) => Pick<CauseHandlers, 'compose'>;
}

/** Causes planned concurrently by default: each may have very many receivers. */
const PLANNED_AT_ONCE = 4;

/** A collection whose documents are causes. */
export const causesIn = <C extends Collections, N extends ListsIn<C, CauseItem>>(
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  projection: Projection<C, any>,
  collection: N,
  { atOnce = PLANNED_AT_ONCE }: { atOnce?: number } = {},
): ReactorList<ItemIn<C, N, CauseItem>, ItemContext, ChangeList<ItemIn<C, N, CauseItem>>> =>
  changes<ItemIn<C, N, CauseItem>>(projection, collection, { atOnce });
