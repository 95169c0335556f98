import { suite } from 'uvu';
import { NotFound } from '../../../domain/errors.ts';
import type { NoteEvent } from '../../../domain/note/events.ts';
import { createNote, deleteNote, noteDecider, updateNote, type Note } from '../../../domain/note/note.ts';
import { specification } from '../specification.ts';

const NOW = '2026-11-20T15:00:00.000000';
const LATER = '2026-11-20T16:00:00.000000';
const note = specification(noteDecider);
const test = suite('a note');

const created: NoteEvent = {
  type: 'NoteCreated',
  data: { note_id: 'note00000001', created_at: NOW, note: { name: 'Milk', text: '', color: null } },
};
const deleted: NoteEvent = { type: 'NoteDeleted', data: { note_id: 'note00000001', deleted_at: LATER } };
const remove = (state: Note) => deleteNote(state, LATER);

test('a note is created from the input and defaults', () => {
  note
    .given()
    .when((state) => createNote(state, 'note00000001', { name: 'Milk' }, NOW))
    .then(created);
});

test('an update of a note contains only the changed fields', () => {
  const change = (state: Note) => updateNote(state, { name: 'Milk', color: 'red' }, LATER);
  const updated: NoteEvent = {
    type: 'NoteUpdated',
    data: { note_id: 'note00000001', changed_at: LATER, changes: { color: 'red' }, previous: { color: null } },
  };
  note.given(created).when(change).then(updated);
  note.given(created, updated).when(change).thenNothing();
});

test('a note can be deleted only once', () => {
  note.given(created).when(remove).then(deleted);
  note.given(created, deleted).when(remove).throws(NotFound, 'There is no such note.');
});

test.run();
