import type { RecordedEventOf } from '../../domain/event-types.ts';
import { evolveFacts, type IncidentFact } from '../../domain/incident/facts.ts';
import { MAX_NOTIFICATION_DELAY } from '../../domain/incident/rules.ts';
import { notificationOf, type NotifyingEvent } from '../../domain/mailing/notifying-events.ts';
import { after, laterOf, type Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Models } from '../engine/fold/define.ts';
import type { MailingDocument, IncidentFactsDocument } from './documents.ts';

/** The kind of cause that a mailing represents (reactors/delivery/mailing.ts). */
export const MAILING_CAUSE = 'mailing';

const collections = {
  mailings: collection<MailingDocument>({ indexes: [{ changed_position: 1 }], small: true }),
  told_facts: collection<IncidentFactsDocument>({ indexes: [], small: true }),
};

type MailingModels = Models<typeof collections>;

type OfIncident = Exclude<NotifyingEvent, { type: 'ComponentUpdated' }>;
type Corrected = RecordedEventOf<'IncidentUpdateEdited' | 'IncidentUpdateRemoved' | 'IncidentDeleted'>;

const identical = (fact: IncidentFact): IncidentFact => fact;

/** The state of an incident before an event. */
type Before = Pick<IncidentFactsDocument, 'facts' | 'not_before'>;

const addMailing = (event: NotifyingEvent, before: Before, { mailings }: MailingModels): void => {
  const notice = notificationOf(event, before.facts);
  if (!notice) return;
  const { page_id, incident } = notice;
  const incident_id = incident?.id ?? null;
  mailings.put({
    id: event.id,
    organization_id: event.metadata.organization_id ?? '',
    cause: { kind: MAILING_CAUSE, id: event.id },
    caused_at: event.metadata.recorded_at,
    ...notBefore(event, before.not_before),
    series: incident_id,
    priority: 'page',
    about: { page_id, event: notice.event, incident_id, incident_update_id: incident?.update_id ?? null },
    told: notice,
    changed_position: Number(event.position),
  });
};

/** Returns the earliest time to send the messages of an event, or undefined if they are not delayed. */
const heldBy = (event: NotifyingEvent | Corrected): Instant | undefined => {
  switch (event.type) {
    case 'IncidentOpened':
    case 'MaintenanceScheduled':
    case 'IncidentUpdateAppended': {
      const { deliver_notifications, notify_from } = event.data.update;
      return deliver_notifications ? notify_from : undefined;
    }
    case 'IncidentStatusChanged':
      return event.data.notify_from;
    default:
      return undefined;
  }
};

const LONGEST_HOLD_MS = MAX_NOTIFICATION_DELAY * 1_000;

/**
 * Returns the earliest time to send the messages of an event. These messages must not overtake delayed messages of the
 * same incident. If an earlier delay ends implausibly late, it was recorded by a clock that was ahead, and is ignored.
 *
 * @param earlier time until which messages of earlier events are delayed
 */
const notBefore = (event: NotifyingEvent | Corrected, earlier: Instant | undefined): { not_before?: Instant } => {
  const own = heldBy(event);
  const isCredible = earlier !== undefined && earlier <= after(event.metadata.recorded_at, LONGEST_HOLD_MS);
  const later = own !== undefined && isCredible ? laterOf(own, earlier) : (own ?? (isCredible ? earlier : undefined));
  return later === undefined ? {} : { not_before: later };
};

/** Stores the state of an incident after an event. @returns the state before the event */
const follow = (event: OfIncident | Corrected, { told_facts }: MailingModels): Before => {
  const { incident_id: id } = event.data;
  const before: Before = told_facts.get(id) ?? { facts: [] };
  const facts = evolveFacts(before.facts, event, identical);
  if (facts.length === 0) told_facts.delete(id);
  else told_facts.put({ id, facts, ...notBefore(event, before.not_before) });
  return before;
};

const onIncident = (event: OfIncident, models: MailingModels): void => {
  addMailing(event, follow(event, models), models);
};

const onCorrection = (event: Corrected, models: MailingModels): void => {
  follow(event, models);
};

/**
 * Notifications of subscribers, one item per event. An item remains after its messages were planned, because the
 * messages are composed from the item later.
 */
export const mailings = defineProjection({
  name: 'mailings',
  version: 1,
  log: 'main',
  collections,
  documents: (event) => ({
    mailings: [event.id],
    told_facts: 'incident_id' in event.data ? [event.data.incident_id] : [],
  }),
  on: {
    IncidentOpened: onIncident,
    MaintenanceScheduled: onIncident,
    PastIncidentLogged: onIncident,
    IncidentStatusChanged: onIncident,
    IncidentUpdateAppended: onIncident,
    IncidentUpdateEdited: onCorrection,
    IncidentUpdateRemoved: onCorrection,
    IncidentDeleted: onCorrection,
    MaintenanceReminded: onIncident,
    PostmortemPublished: onIncident,
    ComponentUpdated: (event, models) => {
      addMailing(event, { facts: [] }, models);
    },
  },
});
