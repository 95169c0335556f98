import type { DeliverySubject, Cause, Priority } from '../../domain/delivery/events.ts';
import type { IncidentFact } from '../../domain/incident/facts.ts';
import type { IncidentNotification } from '../../domain/mailing/notifying-events.ts';
import type { Instant } from '../../domain/time.ts';

/**
 * A notification of a page's subscribers: an item of the list of the reactor that plans the messages
 * (reactors/delivery/mailing.ts).
 */
export interface MailingDocument {
  /** id of the event that caused the notification */
  id: string;
  organization_id: string;
  cause: Cause;
  /** Time at which the event was recorded. For a delayed reminder, this is later than the due time of the reminder. */
  caused_at: Instant;
  /** Earliest time at which messages are sent. Absent if they are sent immediately. */
  not_before?: Instant;
  /**
   * Id of the incident. Messages with the same series are sent to a subscriber in order. Null if there is no series.
   */
  series: string | null;
  priority: Priority;
  about: DeliverySubject;
  told: IncidentNotification;
  changed_position: number;
}

/**
 * Internal: the state of an incident according to its events so far, from which the effect of the next event is
 * determined. The document has the id of the incident.
 */
export interface IncidentFactsDocument {
  id: string;
  /** Facts in log order. */
  facts: readonly IncidentFact[];
  /**
   * Time until which messages are delayed. Messages of later events must not be sent earlier. Absent if none were
   * delayed.
   */
  not_before?: Instant;
}
