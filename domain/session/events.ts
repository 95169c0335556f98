import { Type } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

const session = { session_id: Type.String(), organization_id: Type.String(), user_id: Type.String() };

/**
 * Events of a user's session, in `session-{id}`. If the session simply expires, no end is recorded. The hashes of the
 * session's tokens and the time of its last use are stored only in the port `Coordination`.
 */
export const sessionEvents = {
  SessionStarted: {
    version: 1,
    data: Type.Object({
      ...session,
      /** methods with which the user authenticated, in order: `password`, `totp`, `recovery_code` */
      methods: Type.Array(Type.String()),
      /** when the session finally expires; refreshing its tokens does not extend it */
      expires_at: InstantSchema,
    }),
  },
  SessionEnded: {
    version: 1,
    data: Type.Object({
      ...session,
      /**
       * `signed_out`; `ended`: by its owner in another session, or by an admin; `token_reused`: an outdated refresh
       * token was used, so it may be stolen; `password_changed`; `password_reset`; `user_removed`
       */
      reason: Type.String(),
    }),
  },
} as const satisfies EventDefinitions;

export type SessionEvent = EventsOf<typeof sessionEvents>;

/** Events about a user's failed sign-ins, in `sign_in-{user id}`. */
export const signInEvents = {
  /**
   * Sign-ins with a wrong password or code from one address within 15 minutes. The address is the client address in the
   * metadata.
   */
  SignInsFailed: {
    version: 1,
    data: Type.Object({
      organization_id: Type.String(),
      user_id: Type.String(),
      count: Type.Integer({ minimum: 1 }),
      first_at: InstantSchema,
      last_at: InstantSchema,
    }),
  },
} as const satisfies EventDefinitions;

export type SignInEvent = EventsOf<typeof signInEvents>;
