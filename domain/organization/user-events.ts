import { Type } from '@sinclair/typebox';
import { Sealed } from '../sealed.ts';
import type { EventDefinitions } from '../event.ts';

const user = { organization_id: Type.String(), user_id: Type.String() };
const SealedOrNull = Type.Union([Sealed, Type.Null()]);
const Names = Type.Object({ first_name: SealedOrNull, last_name: SealedOrNull });

/**
 * Events of the users of an organization, in its stream. Personal data is sealed under `user-{id}`: the e-mail address,
 * the names, the PHC string of the password, the secret of the second factor. Tokens of links are not stored: they are
 * signatures that contain the number of the invitation or of the reset.
 */
export const userEvents = {
  /** a person may join by a link; also the first event of a user that the operator creates */
  UserInvited: {
    version: 1,
    data: Type.Object({
      ...user,
      email: Sealed,
      /** fingerprint of the normalised e-mail address, for comparison */
      email_key: Type.String(),
      /** number of the claim on the e-mail address, which is unique in the service (reservation/) */
      email_claim: Type.Integer(),
      /** one of those that existed at the time (roles.ts) */
      role: Type.String({ minLength: 1 }),
      /** contained in links; only the newest is accepted */
      invitation: Type.Integer({ minimum: 1 }),
    }),
  },
  /** the stream is closed to an unused claim on an e-mail address */
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
      /** whether the link was only sent to the e-mail address */
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
      /** `user`: with the old password; `reset`: by a link; `operator`: on the command line */
      by: Type.Union([Type.Literal('user'), Type.Literal('reset'), Type.Literal('operator')]),
      email_verified: Type.Boolean(),
    }),
  },
  PasswordResetRequested: {
    version: 1,
    data: Type.Object({
      ...user,
      /** contained in links; only the newest is accepted, and only once */
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
      /** `operator`: on the command line, for a user who has lost it */
      by: Type.Union([Type.Literal('user'), Type.Literal('operator')]),
    }),
  },
  /** access has ended; the names remain readable in the audit log until the user is forgotten */
  UserRemoved: {
    version: 1,
    data: Type.Object(user),
  },
  /** the user's key is deleted, so that sealed data can no longer be decrypted */
  UserForgotten: {
    version: 1,
    data: Type.Object(user),
  },
} as const satisfies EventDefinitions;
