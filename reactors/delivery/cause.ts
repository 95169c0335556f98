import type { CauseOf, Receiver } from '../../domain/delivery/decide.ts';
import type { DueDeliveryDocument } from '../../projections/deliveries/projection.ts';
import type { Message, Settings } from '../../notifiers/notifier.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Read } from '../../projections/readers.ts';
import type { Keys } from '../../stores/keys/port.ts';
import type { ChangeList, ListItem, TodoProjection } from '../engine/lists.ts';

/** Something that receivers are to be told of. */
export interface CauseItem extends ListItem, CauseOf {}

/** What is told to a receiver, and where to. */
export interface Composed {
  message: Omit<Message, 'id'>;
  settings: Settings;
}

/** A delivery, as far as it says what is told to whom. */
export type ToCompose = Pick<DueDeliveryDocument, 'id' | 'organization_id' | 'cause' | 'receiver_id' | 'notifier'>;

/** What kinds of causes are made from. */
export interface CauseContext {
  read: Read;
  /** opens addresses and secrets of receivers, and tells targets apart without saying which they are */
  keys: Pick<Keys, 'open' | 'fingerprint'>;
  /** A projection as the list of causes. */
  todo: (projection: AnyProjection) => TodoProjection;
}

/**
 * One kind of causes: where they are found, who is told of one, and what. A file of its own beside this one; its events,
 * receivers and words are those of the resource that it is about.
 */
export interface CauseKind<Item extends CauseItem = CauseItem> {
  /** stands in the deliveries: `incident_update` */
  kind: string;
  /** the list of its causes */
  todo: TodoProjection;
  list: ChangeList<Item>;
  /**
   * At most `limit` receivers of a cause whose ids come after one, in the order of their ids. Fewer than `limit` are
   * the last ones.
   */
  receivers: (cause: Item, after: string | null, limit: number) => Promise<readonly Receiver[]>;
  /** What is told, as things are now; null: the cause or the receiver is not there any more, or must not be told. */
  compose: (delivery: ToCompose) => Promise<Composed | null>;
}

/** A kind of causes, where it does not matter what its list holds. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyCauseKind = CauseKind<any>;
