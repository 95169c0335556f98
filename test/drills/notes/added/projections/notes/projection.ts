import type { NoteFields } from '../../domain/note/events.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';

/** A note as the API shows it. */
export interface NoteDocument extends NoteFields {
  id: string;
  organization_id: string;
  created_at: Instant;
  updated_at: Instant;
}

export const notes = defineProjection({
  name: 'notes',
  version: 1,
  log: 'main',
  collections: {
    notes: collection<NoteDocument>({ indexes: [{ organization_id: 1, created_at: -1 }] }),
  },
  documents: (event) => ({ notes: [event.data.note_id] }),
  on: {
    NoteCreated: ({ data, metadata }, { notes }) => {
      notes.put({
        id: data.note_id,
        organization_id: metadata.organization_id ?? '',
        ...data.note,
        created_at: data.created_at,
        updated_at: data.created_at,
      });
    },
    NoteUpdated: ({ data }, { notes }) => {
      const note = notes.get(data.note_id);
      if (note) notes.put({ ...note, ...data.changes, updated_at: data.changed_at });
    },
    NoteDeleted: ({ data }, { notes }) => {
      notes.delete(data.note_id);
    },
  },
});
