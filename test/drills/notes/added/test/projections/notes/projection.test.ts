import { suite } from 'uvu';
import { notes } from '../../../projections/notes/projection.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const NOW = '2026-11-20T15:00:00.000000';
const LATER = '2026-11-20T16:00:00.000000';
const note_id = 'note00000001';
const created: Fact = {
  type: 'NoteCreated',
  data: { note_id, created_at: NOW, note: { name: 'Milk', text: '', color: null } },
};
const updated: Fact = {
  type: 'NoteUpdated',
  data: { note_id, changed_at: LATER, changes: { color: 'red' }, previous: { color: null } },
};
const deleted: Fact = { type: 'NoteDeleted', data: { note_id, deleted_at: LATER } };

projectionRules(notes, [created, updated, deleted]);

const test = suite('the read model of notes');

test('the read model of notes contains the current state of a note', async () => {
  await projection(notes).given(created, updated).then('notes', {
    id: note_id,
    organization_id: 'org000000001',
    name: 'Milk',
    text: '',
    color: 'red',
    created_at: NOW,
    updated_at: LATER,
  });
});

test('the read model of notes contains no deleted notes', async () => {
  await projection(notes).given(created, deleted).thenNone('notes');
});

test.run();
