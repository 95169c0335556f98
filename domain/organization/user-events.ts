import { Type } from '@sinclair/typebox';
import { Sealed } from '../sealed.ts';
import type { EventDefinitions } from '../event.ts';

const user = { organization_id: Type.String(), user_id: Type.String() };
const SealedOrNull = Type.Union([Sealed, Type.Null()]);
const Names = Type.Object({ first_name: SealedOrNull, last_name: SealedOrNull });

/**
 * Events of the users of an organization, in the stream of the organization. Personal data is sealed under the key
 * `user-{id}`: the e-mail address, the names, the PHC string of the password, the secret of the second factor. Tokens
 * of links are not stored: a token is a signature over the number of the invitation or of the reset.
 */
export const userEvents = {
  /** A person was invited to join by a link. Also the first event of a user whom the operator creates. */
  UserInvited: {
    version: 1,
    data: Type.Object({
      ...user,
      email: Sealed,
      /** fingerprint of the normalised e-mail address, for comparisons */
      email_key: Type.String(),
      /** number of the claim on the e-mail address, which is unique in the service (reservation/) */
      email_claim: Type.Integer(),
      /** the role at the time of the event; it may be unknown to this release (roles.ts) */
      role: Type.String({ minLength: 1 }),
      /** number of the invitation, which the link contains; only the newest is accepted */
      invitation: Type.Integer({ minimum: 1 }),
    }),
  },
  /** The user will never be invited: the claim on the e-mail address was unused, and another claimant closed it. */
  UserInvitationAbandoned: {
    version: 1,
    data: Type.Object({ ...user, email_claim: Type.Integer() }),
  },
  InvitationResent: {
    version: 1,
    data: Type.Object({ ...user, invitation: Type.Integer({ minimum: 1 }) }),
  },
  /** The user accepted the invitation, or the operator gave the user a password. */
  UserJoined: {
    version: 1,
    data: Type.Object({
      ...user,
      ...Names.properties,
      /** PHC string of the password */
      password: Sealed,
      /** whether joining proves ownership of the e-mail address: the link was sent only to this address */
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
      /** PHC string of the password */
      password: Sealed,
      /** `user`: the user entered the previous password; `reset`: by a link; `operator`: on the command line */
      by: Type.Union([Type.Literal('user'), Type.Literal('reset'), Type.Literal('operator')]),
      email_verified: Type.Boolean(),
    }),
  },
  PasswordResetRequested: {
    version: 1,
    data: Type.Object({
      ...user,
      /** number of the reset, which the link contains; only the newest is accepted, and only once */
      reset: Type.Integer({ minimum: 1 }),
    }),
  },
  SecondFactorEnabled: {
    version: 1,
    data: Type.Object({
      ...user,
      /** secret in base32 (RFC 6238), sealed */
      secret: Sealed,
      /** SHA-256 of each recovery code, hexadecimal */
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
      /** `operator`: on the command line, for a user who has lost the second factor */
      by: Type.Union([Type.Literal('user'), Type.Literal('operator')]),
    }),
  },
  /** The user has no access any more. The names remain readable in the audit log until the user is forgotten. */
  UserRemoved: {
    version: 1,
    data: Type.Object(user),
  },
  /** The key that seals the user's data is deleted, so that the data can no longer be decrypted. */
  UserForgotten: {
    version: 1,
    data: Type.Object(user),
  },
} as const satisfies EventDefinitions;
