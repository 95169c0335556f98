import { changedFields } from '../changes.ts';
import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../existence.ts';
import type { Instant } from '../time.ts';
import type { NoteEvent, NoteFields } from './events.ts';

export type Note = { status: 'absent' } | { status: 'active'; id: string; fields: NoteFields } | { status: 'deleted' };

export const { existing, requireAbsent, onExisting } = lifecycleOf<Note>('note');

/** Default values of a new note's fields. */
export const NOTE_DEFAULTS = { text: '', color: null } as const satisfies Partial<NoteFields>;

/** The input for a new note. */
export type NewNote = Partial<NoteFields> & Pick<NoteFields, 'name'>;

/** @throws Conflict */
export const createNote = (note: Note, id: string, input: NewNote, now: Instant): NoteEvent => {
  requireAbsent(note);
  return { type: 'NoteCreated', data: { note_id: id, created_at: now, note: { ...NOTE_DEFAULTS, ...input } } };
};

/** Changes the fields whose values differ. @throws NotFound */
export const updateNote = (note: Note, input: Partial<NoteFields>, now: Instant): NoteEvent[] => {
  const { id, fields } = existing(note);
  const changed = changedFields(fields, input);
  return changed ? [{ type: 'NoteUpdated', data: { note_id: id, changed_at: now, ...changed } }] : [];
};

/** @throws NotFound */
export const deleteNote = (note: Note, now: Instant): NoteEvent => ({
  type: 'NoteDeleted',
  data: { note_id: existing(note).id, deleted_at: now },
});

const evolve = (note: Note, event: NoteEvent): Note => {
  switch (event.type) {
    case 'NoteCreated':
      return { status: 'active', id: event.data.note_id, fields: event.data.note };
    case 'NoteUpdated':
      return onExisting(note, (active) => ({ ...active, fields: { ...active.fields, ...event.data.changes } }));
    case 'NoteDeleted':
      return { status: 'deleted' };
    default:
      return unreachable(event);
  }
};

export const noteDecider: Decider<Note, NoteEvent> = { category: 'note', initialState: { status: 'absent' }, evolve };
