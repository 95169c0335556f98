import { Type, type Static } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions } from '../event.ts';
import { Sealed } from '../sealed.ts';

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

/** The fields of a page password that every user with read access to pages is allowed to see. */
export const PagePasswordFields = Type.Object({
  name: Type.String(),
  /** shown to visitors on the password form */
  password_hint: orNull(Type.String()),
  active: Type.Boolean(),
  expires_at: orNull(InstantSchema),
});
export type PagePasswordFields = Static<typeof PagePasswordFields>;

const ids = { page_id: Type.String(), password_id: Type.String() };

/** Events of a page's passwords, in the stream of the page. */
export const pagePasswordEvents = {
  PagePasswordAdded: {
    version: 1,
    data: Type.Object({
      ...ids,
      created_at: InstantSchema,
      password: PagePasswordFields,
      /** the argon2id hash as a PHC string, sealed under the key `page_passwords-{page_id}` */
      hash: Sealed,
    }),
  },
  PagePasswordUpdated: {
    version: 1,
    data: Type.Object({
      ...ids,
      changed_at: InstantSchema,
      changes: Type.Partial(PagePasswordFields),
      previous: Type.Partial(PagePasswordFields),
      /** the hash of the new password; absent if the password is unchanged */
      hash: Type.Optional(Sealed),
    }),
  },
  PagePasswordRemoved: { version: 1, data: Type.Object({ ...ids, removed_at: InstantSchema }) },
} as const satisfies EventDefinitions;
