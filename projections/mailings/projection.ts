import type { RecordedEventOf } from '../../domain/catalogue.ts';
import { evolveFacts, type Fact } from '../../domain/incident/facts.ts';
import { toldBy, type TellingEvent } from '../../domain/mailing/told.ts';
import { collection, defineProjection, type Models } from '../engine/fold/define.ts';
import type { MailingDocument, ToldFactsDocument } from './documents.ts';

/** The kind of these causes (reactors/delivery/mailing.ts). */
export const MAILING = 'mailing';

const collections = {
  mailings: collection<MailingDocument>({ indexes: [{ changed_position: 1 }], small: true }),
  told_facts: collection<ToldFactsDocument>({ indexes: [], small: true }),
};

type MailingModels = Models<typeof collections>;

type OfIncident = Exclude<TellingEvent, { type: 'ComponentUpdated' }>;
type Corrected = RecordedEventOf<'IncidentUpdateEdited' | 'IncidentUpdateRemoved' | 'IncidentDeleted'>;

const identical = (fact: Fact): Fact => fact;

const tell = (event: TellingEvent, before: readonly Fact[], { mailings }: MailingModels): void => {
  const told = toldBy(event, before);
  if (!told) return;
  const { page_id, incident } = told;
  const incident_id = incident?.id ?? null;
  mailings.put({
    id: event.id,
    organization_id: event.metadata.organization_id ?? '',
    cause: { kind: MAILING, id: event.id },
    caused_at: event.metadata.recorded_at,
    series: incident_id,
    priority: 'page',
    about: { page_id, event: told.event, incident_id, incident_update_id: incident?.update_id ?? null },
    told,
    changed_position: Number(event.position),
  });
};

/** Keeps the facts of an incident. @returns what they were before */
const follow = (event: OfIncident | Corrected, { told_facts }: MailingModels): readonly Fact[] => {
  const { incident_id: id } = event.data;
  const before = told_facts.get(id)?.facts ?? [];
  const facts = evolveFacts(before, event, identical);
  if (facts.length === 0) told_facts.delete(id);
  else told_facts.put({ id, facts });
  return before;
};

const onIncident = (event: OfIncident, models: MailingModels): void => {
  tell(event, follow(event, models), models);
};

const onCorrection = (event: Corrected, models: MailingModels): void => {
  follow(event, models);
};

/** What subscribers are to be told of, one item an event. It stays, since messages are composed from it for a while. */
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
      tell(event, [], models);
    },
  },
});
