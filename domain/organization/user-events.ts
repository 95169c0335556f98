import { Type } from '@sinclair/typebox';
import { Sealed } from '../sealed.ts';
import type { EventDefinitions } from '../event.ts';

const user = { organization_id: Type.String(), user_id: Type.String() };
const SealedOrNull = Type.Union([Sealed, Type.Null()]);
const Names = Type.Object({ first_name: SealedOrNull, last_name: SealedOrNull });

/**
 * Events of the people who belong to an organization, in its stream. What is personal is sealed under `user-{id}`:
 * e-mail, names, the PHC string of the password, the secret of the second factor. Tokens of links stand nowhere: they
 * are signatures that name the number of the invitation or of the reset.
 */
export const userEvents = {
  /** somebody may become a user by a link; also the first event of a user whom the operator makes */
  UserInvited: {
    version: 1,
    data: Type.Object({
      ...user,
      email: Sealed,
      /** fingerprint of the normalized e-mail, by which it is compared */
      email_key: Type.String(),
      /** number of the claim on the e-mail, which is unique over the service (reservation/) */
      email_claim: Type.Integer(),
      /** one of those that existed at the time (roles.ts) */
      role: Type.String({ minLength: 1 }),
      /** links name it; the newest alone is taken */
      invitation: Type.Integer({ minimum: 1 }),
    }),
  },
  /** the stream is closed to a claim on an e-mail whose invitation never came */
  UserInvitationAbandoned: {
    version: 1,
    data: Type.Object({ ...user, email_claim: Type.Integer() }),
  },
  InvitationResent: {
    version: 1,
    data: Type.Object({ ...user, invitation: Type.Integer({ minimum: 1 }) }),
  },
  /** the invitation was accepted, or the operator gave the user a password */
  UserJoined: {
    version: 1,
    data: Type.Object({
      ...user,
      ...Names.properties,
      /** PHC string */
      password: Sealed,
      /** whether the link was sent to the e-mail and nowhere else */
      email_verified: Type.Boolean(),
    }),
  },
  UserProfileChanged: {
    version: 1,
    data: Type.Object({ ...user, changes: Type.Partial(Names), previous: Type.Partial(Names) }),
  },
  UserRoleChanged: {
    version: 1,
    data: Type.Object({ ...user, role: Type.String({ minLength: 1 }), previous: Type.String() }),
  },
  UserPasswordChanged: {
    version: 1,
    data: Type.Object({
      ...user,
      /** PHC string */
      password: Sealed,
      /** `user`: by the old one; `reset`: by a link; `operator`: at the command line */
      by: Type.Union([Type.Literal('user'), Type.Literal('reset'), Type.Literal('operator')]),
      email_verified: Type.Boolean(),
    }),
  },
  PasswordResetRequested: {
    version: 1,
    data: Type.Object({
      ...user,
      /** links name it; the newest alone is taken, and once */
      reset: Type.Integer({ minimum: 1 }),
    }),
  },
  SecondFactorEnabled: {
    version: 1,
    data: Type.Object({
      ...user,
      /** base32 (RFC 6238), sealed */
      secret: Sealed,
      /** SHA-256 of each code, hexadecimal */
      recovery_codes: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' })),
    }),
  },
  RecoveryCodeUsed: {
    version: 1,
    data: Type.Object({ ...user, recovery_code: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  },
  SecondFactorDisabled: {
    version: 1,
    data: Type.Object({
      ...user,
      /** `operator`: at the command line, where the user has lost it */
      by: Type.Union([Type.Literal('user'), Type.Literal('operator')]),
    }),
  },
  /** access has ended; the names stay readable in the audit log until the user is forgotten */
  UserRemoved: {
    version: 1,
    data: Type.Object(user),
  },
  /** what is sealed under the user's key is unreadable from now on */
  UserForgotten: {
    version: 1,
    data: Type.Object(user),
  },
} as const satisfies EventDefinitions;
