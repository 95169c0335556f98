import { Type } from '@sinclair/typebox';
import { createNote, deleteNote, updateNote } from '../../../commands/notes.ts';
import { COLORS } from '../../../domain/note/events.ts';
import { NOTE_DEFAULTS } from '../../../domain/note/note.ts';
import { notes } from '../../../projections/notes/projection.ts';
import { containing, oneOf } from '../../../queries/engine/filters.ts';
import { ownDocuments } from '../../../queries/engine/own-documents.ts';
import { pagesOfStyleB } from '../../pagination.ts';
import { createPresenter } from '../../presenter.ts';
import { resource } from '../../resource.ts';
import type { Route } from '../../route.ts';
import { choice, commaList, Id, InstantOut, namedSchema, nullable, partial, text, withDefaults } from '../../schema.ts';

/** The fields of a note that a client sets. */
const fields = { name: text(100, { min: 1 }), text: text(10_000), color: nullable(choice(COLORS)) };

const NewNote = Type.Object({ ...withDefaults(fields, NOTE_DEFAULTS), name: fields.name });
const NoteChange = partial(Type.Object(fields));
const Note = namedSchema('Note', Type.Object({ id: Id, ...fields, created_at: InstantOut, updated_at: InstantOut }));

const presentNote = createPresenter(Note);
const own = ownDocuments((read) => read(notes).notes, 'note', {
  sort: { created_at: -1 },
  filters: { color: oneOf, name: containing },
});

export const noteRoutes: Route[] = resource({
  path: '/v1/notes',
  id: 'note_id',
  tag: 'Notes',
  noun: 'note',
  needs: { read: 'notes.read', write: 'notes.write' },
  show: ({ scope, params }) => own.one(scope, params.note_id),
  schema: Note,
  present: presentNote,
  list: {
    summary: 'List notes',
    style: pagesOfStyleB({ key: 'notes', size: 20, newestBy: 'created_at' }),
    filters: { color: commaList(choice(COLORS)), name: text(100) },
    ask: ({ scope, query }, paging) => own.list(scope, query, paging),
  },
  create: {
    body: NewNote,
    ask: ({ body, context, commands }) => commands.bind(createNote)(body, context),
  },
  change: {
    body: NoteChange,
    ask: ({ params, body, context, commands }) => commands.bind(updateNote)(params.note_id, body, context),
  },
  remove: {
    waitsFor: [notes.name],
    ask: ({ params, context, commands }) => commands.bind(deleteNote)(params.note_id, context),
  },
});
