import type { NoteFields } from '../domain/note/events.ts';
import * as decide from '../domain/note/note.ts';
import type { CommandContext } from './engine/context.ts';
import type { CommandDependencies } from './dependencies.ts';

/** Creates a note. @returns its id */
export const createNote =
  ({ handle }: CommandDependencies) =>
  async (input: decide.NewNote, context: CommandContext): Promise<string> => {
    const id = context.newId();
    await handle(id, decide.noteDecider, (note) => decide.createNote(note, id, input, context.now), context);
    return id;
  };

/** Changes a note. Absent fields stay unchanged. @throws NotFound */
export const updateNote =
  ({ handle }: CommandDependencies) =>
  async (noteId: string, input: Partial<NoteFields>, context: CommandContext): Promise<void> => {
    await handle(noteId, decide.noteDecider, (note) => decide.updateNote(note, input, context.now), context);
  };

/** Deletes a note. @throws NotFound */
export const deleteNote =
  ({ handle }: CommandDependencies) =>
  async (noteId: string, context: CommandContext): Promise<void> => {
    await handle(noteId, decide.noteDecider, (note) => decide.deleteNote(note, context.now), context);
  };
