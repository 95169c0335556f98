import { Type } from '@sinclair/typebox';
import { createNote, deleteNote, updateNote } from '../../../commands/notes.ts';
import { COLORS } from '../../../domain/note/events.ts';
import { NOTE_DEFAULTS } from '../../../domain/note/note.ts';
import { notes } from '../../../projections/notes/projection.ts';
import { containing, oneOf } from '../../../queries/engine/filters.ts';
import { ownDocuments } from '../../../queries/engine/own-documents.ts';
import { pagesOfStyleB } from '../../pagination.ts';
import { presenting } from '../../present.ts';
import { resource } from '../../resource.ts';
import type { Route } from '../../route.ts';
import { choice, commaList, defaulting, Id, InstantOut, named, nullable, partial, text } from '../../schema.ts';

/** The fields of a note that a client sets. */
const fields = { name: text(100, { min: 1 }), text: text(10_000), color: nullable(choice(COLORS)) };

const NewNote = Type.Object({ ...defaulting(fields, NOTE_DEFAULTS), name: fields.name });
const NoteChange = partial(Type.Object(fields));
const Note = named('Note', Type.Object({ id: Id, ...fields, created_at: InstantOut, updated_at: InstantOut }));

const presentNote = presenting(Note);
const own = ownDocuments((read) => read(notes).notes, 'note', {
  sort: { created_at: -1 },
  filters: { color: oneOf, name: containing },
});

export const noteRoutes: Route[] = resource({
  path: '/v1/notes',
  id: 'note_id',
  tag: 'Notes',
  one: 'note',
  needs: { read: 'notes.read', write: 'notes.write' },
  show: ({ scope, params }) => own.one(scope, params.note_id),
  answer: Note,
  present: presentNote,
  list: {
    summary: 'List notes',
    style: pagesOfStyleB({ key: 'notes', size: 20, newestBy: 'created_at' }),
    filters: { color: commaList(choice(COLORS)), name: text(100) },
    ask: ({ scope, query }, paging) => own.list(scope, query, paging),
  },
  create: {
    body: NewNote,
    ask: ({ body, context, commands }) => commands.ask(createNote)(body, context),
  },
  change: {
    body: NoteChange,
    ask: ({ params, body, context, commands }) => commands.ask(updateNote)(params.note_id, body, context),
  },
  remove: {
    waitsFor: [notes.name],
    ask: ({ params, context, commands }) => commands.ask(deleteNote)(params.note_id, context),
  },
});
