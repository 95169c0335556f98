import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

export const COLORS = ['red', 'green', 'blue'] as const;

/** The fields of a note. */
export const NoteFields = Type.Object({
  name: Type.String(),
  text: Type.String(),
  color: Type.Union([...COLORS.map((color) => Type.Literal(color)), Type.Null()]),
});
export type NoteFields = Static<typeof NoteFields>;

/** Events of a note, in `note-{note_id}`. */
export const noteEvents = {
  NoteCreated: {
    version: 1,
    data: Type.Object({ note_id: Type.String(), created_at: InstantSchema, note: NoteFields }),
  },
  NoteUpdated: {
    version: 1,
    data: Type.Object({
      note_id: Type.String(),
      changed_at: InstantSchema,
      changes: Type.Partial(NoteFields),
      previous: Type.Partial(NoteFields),
    }),
  },
  NoteDeleted: { version: 1, data: Type.Object({ note_id: Type.String(), deleted_at: InstantSchema }) },
} as const satisfies EventDefinitions;

export type NoteEvent = EventsOf<typeof noteEvents>;
