import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { IncidentEvent } from '../../domain/incident/events.ts';
import {
  chronological,
  evolveFacts,
  inEffect,
  componentsNamedBy,
  progressOf,
  type IncidentFact,
} from '../../domain/incident/facts.ts';
import type { UpdateFields } from '../../domain/incident/fields.ts';
import { timeOf } from '../../domain/incident/event.ts';
import { SCHEDULE_DEFAULTS } from '../../domain/incident/schedule.ts';
import { laterOf, type Instant } from '../../domain/time.ts';
import type { IncidentDocument, IncidentUpdateView, ScheduleView } from './documents.ts';

/** The schedule of an incident that is not a maintenance. */
const UNSCHEDULED: ScheduleView = { scheduled_for: null, scheduled_until: null, ...SCHEDULE_DEFAULTS };

/** The fields of an update that are not in its fact. */
type Text = Pick<IncidentUpdateView, 'id' | 'body' | 'deliver_notifications' | 'updated_at' | 'withheld_at'>;

const textOf = ({ id, body, deliver_notifications, created_at }: UpdateFields, at: Instant = created_at): Text => ({
  id,
  body,
  deliver_notifications,
  updated_at: at,
  withheld_at: null,
});

const identical = (fact: IncidentFact): IncidentFact => fact;

/** Derives fields of an incident from its facts and texts. */
const following = (incidentId: string, facts: readonly IncidentFact[], texts: readonly Text[]) => {
  const byId = new Map(texts.map((text) => [text.id, text]));
  const views = inEffect(facts).flatMap(({ update_id, status, components, at }): IncidentUpdateView[] => {
    const text = update_id === null ? undefined : byId.get(update_id);
    if (!text) return [];
    const { id, body, deliver_notifications, updated_at, withheld_at } = text;
    const created_at = at;
    return [
      {
        id,
        incident_id: incidentId,
        body,
        status,
        components,
        deliver_notifications,
        display_at: at,
        created_at,
        updated_at,
        withheld_at,
      },
    ];
  });
  return { ...progressOf(facts), component_ids: componentsNamedBy(facts), incident_updates: views.reverse(), facts };
};

/** Creates the document of an incident. */
export const createIncidentDocument = (
  event: RecordedEventOf<'IncidentOpened' | 'MaintenanceScheduled' | 'PastIncidentLogged'>,
): IncidentDocument => {
  const { incident_id: id, page_id, incident } = event.data;
  const facts = evolveFacts([], event, identical);
  const texts =
    event.type === 'PastIncidentLogged'
      ? event.data.updates.map((update) => textOf(update, event.data.logged_at))
      : [textOf(event.data.update)];
  return {
    id,
    organization_id: event.metadata.organization_id ?? '',
    page_id,
    kind: event.type === 'MaintenanceScheduled' ? 'maintenance' : 'regular',
    ...incident,
    ...UNSCHEDULED,
    ...(event.type === 'MaintenanceScheduled' && event.data.schedule),
    ...following(id, facts, texts),
    postmortem_body: null,
    postmortem_body_last_updated_at: null,
    postmortem_published_at: null,
    scheduled_reminded_at: null,
    created_at: event.type === 'PastIncidentLogged' ? firstTime(facts) : event.data.created_at,
    updated_at: timeOf(event),
    changed_position: Number(event.position),
  };
};

const firstTime = (facts: readonly IncidentFact[]): Instant => chronological(facts)[0]?.at ?? '';

/** Applies an event that changes an incident to its document. */
export const changeIncidentDocument = (
  document: IncidentDocument,
  event: Exclude<
    IncidentEvent,
    {
      type:
        | 'IncidentOpened'
        | 'MaintenanceScheduled'
        | 'PastIncidentLogged'
        | 'MaintenanceReminderMissed'
        | 'PostmortemDrafted'
        | 'IncidentDeleted';
    }
  > & { position: bigint },
): IncidentDocument => {
  const updated_at = laterOf(document.updated_at, timeOf(event));
  const changed_position = Number(event.position);
  if (event.type === 'MaintenanceReminded') {
    return { ...document, scheduled_reminded_at: event.data.reminded_at, updated_at, changed_position };
  }
  if (event.type === 'IncidentChanged') return { ...document, ...event.data.changes, updated_at, changed_position };
  if (event.type === 'PostmortemPublished') {
    const { body: postmortem_body, published_at: postmortem_published_at } = event.data;
    const last = postmortem_body === document.postmortem_body ? document.postmortem_body_last_updated_at : null;
    return {
      ...document,
      postmortem_body,
      postmortem_body_last_updated_at: last ?? postmortem_published_at,
      postmortem_published_at,
      updated_at,
      changed_position,
    };
  }
  if (event.type === 'PostmortemUnpublished') {
    const none = { postmortem_body: null, postmortem_body_last_updated_at: null, postmortem_published_at: null };
    return { ...document, ...none, updated_at, changed_position };
  }
  const facts = evolveFacts(document.facts, event, identical);
  return { ...document, ...following(document.id, facts, textsAfter(document, event)), updated_at, changed_position };
};

const textsAfter = (document: IncidentDocument, event: IncidentEvent): Text[] => {
  const before: Text[] = [...document.incident_updates];
  if (event.type === 'IncidentUpdateAppended') return [...before, textOf(event.data.update)];
  if (event.type === 'IncidentUpdateTextWithheld') {
    const { incident_update_id, withheld_at } = event.data;
    return before.map((text) =>
      text.id === incident_update_id ? { ...text, withheld_at, updated_at: withheld_at } : text,
    );
  }
  if (event.type !== 'IncidentUpdateEdited') return before;
  const { incident_update_id, changes, edited_at } = event.data;
  return before.map((text) => (text.id === incident_update_id ? editedText(text, changes, edited_at) : text));
};

/** Applies an edit to the text of an update. The new text is not withheld, even if the previous one was. */
const editedText = (
  text: Text,
  { body }: Extract<IncidentEvent, { type: 'IncidentUpdateEdited' }>['data']['changes'],
  updated_at: Instant,
): Text => (body === undefined ? { ...text, updated_at } : { ...text, body, updated_at, withheld_at: null });
