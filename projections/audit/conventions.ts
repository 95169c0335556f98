import type { eventTypes, EventType, RecordedEventOf } from '../../domain/event-types.ts';
import type { Fields } from '../../domain/fields.ts';
import { auditChanges, auditCreation } from './changes.ts';
import type { FieldChange, UserName } from './documents.ts';

/** The action of an event, and the resource that it affected. */
export interface AuditSubject {
  /** `check.updated`: the resource type and the action */
  action: string;
  resource_type: string;
  resource_id: string;
  /** the name, if the event sets or changes it */
  name?: string | undefined;
  /** for a user: the parts of the name that the event contains */
  person?: Partial<UserName>;
  /** for an API key: the user who created it; null: no user */
  maker?: string | null;
  /** `{resource_type}:{resource_id}` of the resource whose name the entry shows; default: the affected resource */
  called: string;
  changes: Record<string, FieldChange>;
  /** the service did it: there is no entry, only the name is stored */
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

/** `check_group` → `CheckGroup` */
type Noun<C extends string> = C extends `${infer Word}_${infer Rest}`
  ? `${Capitalize<Word>}${Noun<Rest>}`
  : Capitalize<C>;

/** Event data from which the action follows, for a resource `note`. */
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

/** Event types whose entry follows from their name and data. */
export type ConventionalType = {
  [C in keyof Catalogue]: Conventional<C, keyof Catalogue[C] & EventType>;
}[keyof Catalogue];

/** The name that an event gives its resource. */
const nameIn = (fields: unknown): string | undefined => {
  const { name } = fields as { name?: unknown };
  return typeof name === 'string' ? name : undefined;
};

const nounOf = (category: string): string =>
  category.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The entry functions of a category, for its conventional event types. */
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
