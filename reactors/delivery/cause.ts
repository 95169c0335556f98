import type { CauseOf, Receiver } from '../../domain/delivery/decide.ts';
import type { DueDeliveryDocument } from '../../projections/deliveries/projection.ts';
import type { MailTexts, RenderedTexts } from '../../messages/mail/texts.ts';
import type { Message, Settings } from '../../notifiers/notifier.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Read } from '../../projections/readers.ts';
import type { JoinedIncident } from '../../queries/pages/incidents.ts';
import type { Keys } from '../../stores/keys/port.ts';
import type { ChangeList, ListItem, TodoProjection } from '../engine/lists.ts';

/** Something that receivers get a message about. */
export interface CauseItem extends ListItem, CauseOf {}

/** A message to a receiver, and its target. */
export interface Composed {
  message: Omit<Message, 'id'>;
  settings: Settings;
}

/** The part of a delivery that says what goes to whom. */
export type ToCompose = Pick<DueDeliveryDocument, 'id' | 'organization_id' | 'cause' | 'receiver_id' | 'notifier'>;

/** What kinds of causes are made from. */
export interface CauseContext {
  read: Read;
  /** Reads what is at least as new as a position of `main`. */
  readAfter: (position: number) => Read;
  /** opens addresses and secrets of receivers, and distinguishes targets without revealing them */
  keys: Pick<Keys, 'open' | 'fingerprint'>;
  /** A projection as the list of causes. */
  todo: (projection: AnyProjection) => TodoProjection;
  /** milliseconds since 1970 */
  clock: () => number;
  /** Whether one more message to a receiver waits for a digest; one that does not is counted. */
  isSurplus: (receiverId: string) => Promise<boolean>;
  /** `PUBLIC_URL`: links in messages begin with it; null: there are none */
  publicUrl: string | null;
  /** whether e-mail is sent */
  mails: boolean;
  /** The texts of an e-mail in its two forms; never fails. */
  renderTexts: (texts: MailTexts) => Promise<RenderedTexts>;
  /** An incident as the API shows it, for programs. */
  shownIncident: (incident: JoinedIncident) => Readonly<Record<string, unknown>>;
  /** An alert and what belongs to it, as the API shows them to a viewer; null: there is no such alert. */
  shownAlert: (organizationId: string, alertId: string) => Promise<Record<string, unknown> | null>;
}

/**
 * One kind of causes: where they are found, who gets a message about one, and which. Each kind has its own file beside
 * this one; its events, receivers and words are those of its resource.
 */
export interface CauseKind<Item extends CauseItem = CauseItem> {
  /** name in the deliveries: `incident_update` */
  kind: string;
  /** the list of its causes */
  todo: TodoProjection;
  list: ChangeList<Item>;
  /** whether causes from before its reactor was first active count, while they are worth telling; default: they don't */
  countsEarlier?: boolean;
  /** causes planned at a time; default: few, since each may have very many receivers */
  atOnce?: number;
  /**
   * At most `limit` receivers of a cause with ids after a given one, in the order of their ids. If fewer than `limit`
   * come, they are the last.
   */
  receivers: (cause: Item, after: string | null, limit: number) => Promise<readonly Receiver[]>;
  /** The message, as things are now; null: the cause or the receiver no longer exists, or must not get it. */
  compose: (delivery: ToCompose) => Promise<Composed | null>;
}

/** Any kind of causes. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyCauseKind = CauseKind<any>;
