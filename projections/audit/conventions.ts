import type { eventTypes, EventType, RecordedEventOf } from '../../domain/event-types.ts';
import type { Fields } from '../../domain/fields.ts';
import { auditChanges, auditCreation } from './changes.ts';
import type { FieldChange, UserName } from './documents.ts';

/** The action of an event, and the resource that it affected. */
export interface AuditSubject {
  /** The resource type and the action, such as `check.updated`. */
  action: string;
  resource_type: string;
  resource_id: string;
  /** Name of the resource, if the event sets or changes it. */
  name?: string | undefined;
  /** If the resource is a user: those parts of the user's name that the event contains. */
  person?: Partial<UserName>;
  /** If the resource is an API key: id of the user who created the key, or null if no user created it. */
  maker?: string | null;
  /** `{resource_type}:{resource_id}` of the resource whose name the entry shows, usually the affected resource. */
  called: string;
  changes: Record<string, FieldChange>;
  /** Whether the service itself acted. If so, no entry is stored, but the name of the resource is. */
  unlisted?: boolean;
}

export const auditSubject = (
  resource_type: string,
  done: string,
  resource_id: string,
  changes: Record<string, FieldChange> = {},
  name?: string,
): AuditSubject => ({
  action: `${resource_type}.${done}`,
  resource_type,
  resource_id,
  changes,
  name,
  called: `${resource_type}:${resource_id}`,
});

type Catalogue = typeof eventTypes;

/** Converts a category to the prefix of its event types: `check_group` → `CheckGroup`. */
type Noun<C extends string> = C extends `${infer Word}_${infer Rest}`
  ? `${Capitalize<Word>}${Noun<Rest>}`
  : Capitalize<C>;

/** Event data from which the entry is derived. The comments show the events of a resource `note`. */
interface Shapes<C extends string> {
  /** `NoteCreated { note_id, note }` */
  Created: Record<`${C}_id`, string> & Record<C, object>;
  /** `NoteUpdated { note_id, changes, previous }` */
  Updated: Record<`${C}_id`, string> & { changes: object; previous: object };
  /** `NoteDeleted { note_id }` */
  Deleted: Record<`${C}_id`, string>;
}

type Done = keyof Shapes<string>;

type Conventional<C extends string, T extends EventType> = {
  [D in Done]: T extends `${Noun<C>}${D}` ? (RecordedEventOf<T>['data'] extends Shapes<C>[D] ? T : never) : never;
}[Done];

/** Event types whose entry is derived from their name and data. */
export type ConventionalType = {
  [C in keyof Catalogue]: Conventional<C, keyof Catalogue[C] & EventType>;
}[keyof Catalogue];

/** Returns the name that an event gives to its resource. */
const nameIn = (fields: unknown): string | undefined => {
  const { name } = fields as { name?: unknown };
  return typeof name === 'string' ? name : undefined;
};

const nounOf = (category: string): string =>
  category.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Returns the functions that describe the conventional event types of a category, by event type. */
export const conventionsOf = (category: string): Record<string, (event: { data: object }) => AuditSubject> => {
  const noun = nounOf(category);
  const idIn = (data: object): string => (data as Fields)[`${category}_id`] as string;
  return {
    [`${noun}Created`]: ({ data }) => {
      const fields = (data as Fields)[category] as object;
      return auditSubject(category, 'created', idIn(data), auditCreation(fields), nameIn(fields));
    },
    [`${noun}Updated`]: ({ data }) => {
      const { changes, previous } = data as { changes: object; previous: object };
      return auditSubject(category, 'updated', idIn(data), auditChanges(changes, previous), nameIn(changes));
    },
    [`${noun}Deleted`]: ({ data }) => auditSubject(category, 'deleted', idIn(data)),
  };
};
