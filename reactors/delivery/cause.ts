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

/** An item of a list of causes: an event that receivers get a message about. */
export interface CauseItem extends ListItem, CauseOf {}

/** A message, and the notifier settings with the address of its receiver. */
export interface Composed {
  message: Omit<NotificationMessage, 'id'>;
  settings: NotifierSettings;
}

/** A message that must not be sent yet. */
export interface Postponed {
  /** the earliest time to send it */
  notBefore: Instant;
}

/** The fields of a delivery that the composition of its message uses. */
export type DeliveryToCompose = Pick<
  DueDeliveryDocument,
  'id' | 'organization_id' | 'cause' | 'receiver_id' | 'notifier' | 'created_at'
>;

/** The dependencies of cause kinds. */
export interface CauseContext extends Pick<
  ReactorContext,
  'readAfter' | 'clock' | 'publicUrl' | 'mails' | 'renderTexts' | 'shownIncident' | 'shownAlert'
> {
  /** Reads with certainty (`sure`), because a delivery whose cause or receiver is missing fails permanently. */
  read: Read;
  /** decrypts addresses and secrets of receivers, and computes fingerprints of targets */
  keys: Pick<ReactorContext['keys'], 'open' | 'fingerprint'>;
  /**
   * Returns whether one more message to a receiver must wait for a digest. Counts the message if it does not have to
   * wait.
   */
  isSurplus: (receiverId: string) => Promise<boolean>;
}

/** A cause kind's functions, bound to a process. */
export interface CauseHandlers<Item extends CauseItem = CauseItem> {
  /**
   * Returns up to `limit` receivers of a cause whose ids are greater than `after` (null: all ids), ordered by id. Fewer
   * than `limit` means that there are no more.
   */
  receivers: (cause: Item, after: string | null, limit: number) => Promise<readonly DeliveryReceiver[]>;
  /**
   * Composes the message from the present state. Null if no message must be sent, because the cause or the receiver no
   * longer exists, or the receiver no longer wants such messages.
   */
  compose: (delivery: DeliveryToCompose) => Promise<Composed | Postponed | null>;
}

/**
 * A kind of cause: the list of the causes, the receivers of messages about a cause, and the content of these messages.
 * Each kind has a file in this folder. The events, receivers and texts of a kind are defined in the modules of its
 * resource, for example alerts.
 */
export interface CauseKind<Item extends CauseItem = CauseItem> {
  /** name in the deliveries, for example `incident_update` */
  kind: string;
  /** list of the causes of this kind, declared with `causesIn(…)` */
  list: ReactorList<Item, ItemContext, ChangeList<Item>>;
  /** whether messages are also planned for causes from before the reactor was first active; default: false */
  countsEarlier?: boolean;
  /**
   * Returns whether a cause must be recorded even if it has no receivers. Needed for a cause that begins something, for
   * example the firing of an alert: only receivers that were notified of the beginning are notified of the end.
   * Default: a cause without receivers is not recorded.
   */
  isRemembered?: (cause: Item) => boolean;
  bind: (context: CauseContext) => CauseHandlers<Item>;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyCauseKind = CauseKind<any>;

/** A kind of digest: a message that replaces several others. The `digests` reactor plans its deliveries. */
export interface DigestKind {
  kind: string;
  bind: (context: CauseContext) => Pick<CauseHandlers, 'compose'>;
}

/** Default number of causes of a kind that are planned concurrently. Few, because each can have very many receivers. */
const PLANNED_AT_ONCE = 4;

/** Declares a list of causes: a collection whose documents are causes. */
export const causesIn = <C extends Collections, N extends ListsIn<C, CauseItem>>(
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  projection: Projection<C, any>,
  collection: N,
  { atOnce = PLANNED_AT_ONCE }: { atOnce?: number } = {},
): ReactorList<ItemIn<C, N, CauseItem>, ItemContext, ChangeList<ItemIn<C, N, CauseItem>>> =>
  changes<ItemIn<C, N, CauseItem>>(projection, collection, { atOnce });
