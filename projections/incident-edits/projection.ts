import type { RecordedEventOf } from '../../domain/event-types.ts';
import { collection, defineProjection, type Models } from '../engine/fold/define.ts';
import { MAX_REPLACED_TEXTS, type UpdateEditsDocument } from './documents.ts';

const collections = {
  update_edits: collection<UpdateEditsDocument>({ indexes: [{ incident_id: 1, changed_position: -1, length: 1 }] }),
};

type Event = RecordedEventOf<'IncidentUpdateEdited' | 'IncidentUpdateRemoved' | 'IncidentUpdateTextWithheld'>;

/** Returns the document before an event, or a new document. */
const before = ({ data }: Event, { update_edits }: Models<typeof collections>): UpdateEditsDocument => {
  const { incident_id, incident_update_id: id } = data;
  const none = { id, incident_id, replaced: [], withheld_at: null, removed: null, changed_position: 0, length: 0 };
  return update_edits.get(id) ?? none;
};

const put = (edits: UpdateEditsDocument, { position }: Event, { update_edits }: Models<typeof collections>): void => {
  const replaced = edits.replaced.slice(-MAX_REPLACED_TEXTS);
  const bodies = [...replaced.map(({ body }) => body), edits.removed?.update.body ?? ''];
  const length = bodies.reduce((sum, body) => sum + body.length, 0);
  update_edits.put({ ...edits, replaced, length, changed_position: Number(position) });
};

/**
 * Texts of incident updates before they were edited or removed, in one document per update. The documents are read only
 * for pages that show edits (queries/pages/incident-edits.ts). The documents of deleted incidents remain, but are not
 * used.
 */
export const incidentEdits = defineProjection({
  name: 'incident_edits',
  version: 1,
  log: 'main',
  collections,
  documents: ({ data }) => ({ update_edits: [data.incident_update_id] }),
  on: {
    IncidentUpdateEdited: (event, models) => {
      const { changes, previous, edited_at } = event.data;
      if (changes.body === undefined) return;
      const edits = before(event, models);
      const text = {
        // An event that changes the body contains the previous body.
        body: previous.body ?? '',
        replaced_at: edited_at,
        position: Number(event.position),
        withheld: edits.withheld_at !== null,
      };
      // Only the replaced text stays withheld. Visitors see the new text.
      put({ ...edits, replaced: [...edits.replaced, text], withheld_at: null }, event, models);
    },
    IncidentUpdateRemoved: (event, models) => {
      const { incident_id, removed_at, update } = event.data;
      const { id, body, status, components, deliver_notifications, created_at } = update;
      const times = { display_at: created_at, created_at, updated_at: removed_at };
      const last = { id, incident_id, body, status, components, deliver_notifications, ...times };
      const removed = { update: last, removed_at, position: Number(event.position) };
      put({ ...before(event, models), removed }, event, models);
    },
    IncidentUpdateTextWithheld: (event, models) => {
      const edits = before(event, models);
      const replaced = edits.replaced.map((text) => ({ ...text, withheld: true }));
      put({ ...edits, replaced, withheld_at: event.data.withheld_at }, event, models);
    },
  },
});
