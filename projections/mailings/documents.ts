import type { DeliverySubject, Cause, Priority } from '../../domain/delivery/events.ts';
import type { IncidentFact } from '../../domain/incident/facts.ts';
import type { IncidentNotification } from '../../domain/mailing/notifying-events.ts';
import type { Instant } from '../../domain/time.ts';

/**
 * A notification of a page's subscribers: an item of the list of the reactor that plans the messages
 * (reactors/delivery/mailing.ts).
 */
export interface MailingDocument {
  /** id of the event that caused it */
  id: string;
  organization_id: string;
  cause: Cause;
  /** when the event was recorded; a delayed reminder is sent even if it was due long ago */
  caused_at: Instant;
  /** when messages may be sent; absent: immediately */
  not_before?: Instant;
  /** the incident's id, so that a subscriber receives the messages about it in order; null: no series */
  series: string | null;
  priority: Priority;
  about: DeliverySubject;
  told: IncidentNotification;
  changed_position: number;
}

/**
 * Internal: the state of an incident according to its events so far, to determine the effect of the next one. Id: the
 * incident's.
 */
export interface IncidentFactsDocument {
  id: string;
  /** in log order */
  facts: readonly IncidentFact[];
  /** when its last held messages are released, which later ones must not overtake; absent: none were held */
  not_before?: Instant;
}
