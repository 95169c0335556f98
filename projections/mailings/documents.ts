import type { About, Cause, Priority } from '../../domain/delivery/events.ts';
import type { Fact } from '../../domain/incident/facts.ts';
import type { Told } from '../../domain/mailing/told.ts';
import type { Instant } from '../../domain/time.ts';

/**
 * What subscribers of a page are to be told: an item of the list of the reactor that plans the messages
 * (reactors/delivery/mailing.ts).
 */
export interface MailingDocument {
  /** id of the event that caused it */
  id: string;
  organization_id: string;
  cause: Cause;
  /** when the event was recorded: what the clock made up for is told even if it was due long ago */
  caused_at: Instant;
  /** when messages may be sent; absent: at once */
  not_before?: Instant;
  /** the incident's id: who gets several messages about it gets them in their order; null: it stands alone */
  series: string | null;
  priority: Priority;
  about: About;
  told: Told;
  changed_position: number;
}

/** Internal: what an incident was by its events so far, to tell what the next one does. Id: the incident's. */
export interface ToldFactsDocument {
  id: string;
  /** in the order of the log */
  facts: readonly Fact[];
  /** until when its last held messages wait, which later ones must not overtake; absent: none were held */
  not_before?: Instant;
}
