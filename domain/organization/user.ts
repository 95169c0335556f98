import { unreachable } from '../decider.ts';
import type { EventsOf } from '../event.ts';
import type { Sealed } from '../sealed.ts';
import type { userEvents } from './user-events.ts';

export type UserEvent = EventsOf<typeof userEvents>;

/** The second factor of a user (RFC 6238). */
export interface SecondFactor {
  secret: Sealed;
  /** SHA-256 of the unused recovery codes, hexadecimal */
  recoveryCodes: readonly string[];
}

/** A user of an organization. */
export interface User {
  id: string;
  /** `abandoned`: the user was never invited, and the claim on the e-mail address is closed */
  status: 'abandoned' | 'invited' | 'active' | 'removed';
  /** null if the user is abandoned */
  email: Sealed | null;
  emailKey: string;
  emailClaim: number;
  /** whether the user has proven ownership of the e-mail address */
  emailVerified: boolean;
  firstName: Sealed | null;
  lastName: Sealed | null;
  /** the role in the user's events; possibly unknown to this release (roles.ts) */
  role: string;
  /** PHC string, sealed; null until the invitation is accepted */
  password: Sealed | null;
  secondFactor: SecondFactor | null;
  /** numbers of the newest invitation and of the newest password reset; 0: none yet */
  invitation: number;
  reset: number;
  /** whether the newest reset link can still be used */
  resettable: boolean;
  forgotten: boolean;
}

/** Returns the name of the key that seals the personal data of a user. */
export const userKey = (userId: string): string => `user-${userId}`;

/** Folds an event of a user into the users of the organization. */
export const evolveUser = (users: readonly User[], event: UserEvent): readonly User[] => {
  const id = event.data.user_id;
  switch (event.type) {
    case 'UserInvited': {
      const { email, email_key: emailKey, email_claim: emailClaim, role, invitation } = event.data;
      const invited: User = { ...NOBODY, id, status: 'invited', email, emailKey, emailClaim, role, invitation };
      return [...users.filter((user) => user.id !== id), invited];
    }
    case 'UserInvitationAbandoned':
      return users.some((user) => user.id === id)
        ? change(users, id, { emailClaim: event.data.email_claim })
        : [...users, { ...NOBODY, id, emailClaim: event.data.email_claim }];
    case 'InvitationResent':
      return change(users, id, { invitation: event.data.invitation });
    case 'UserJoined': {
      const { first_name: firstName, last_name: lastName, password, email_verified: emailVerified } = event.data;
      return change(users, id, { status: 'active', firstName, lastName, password, emailVerified });
    }
    case 'UserProfileChanged': {
      const { first_name: firstName, last_name: lastName } = event.data.changes;
      return change(users, id, {
        ...(firstName !== undefined && { firstName }),
        ...(lastName !== undefined && { lastName }),
      });
    }
    case 'UserRoleChanged':
      return change(users, id, { role: event.data.role });
    case 'UserPasswordChanged': {
      const { password, email_verified } = event.data;
      // Reset links from before this change are no longer valid.
      return change(users, id, { password, resettable: false, ...(email_verified && { emailVerified: true }) });
    }
    case 'PasswordResetRequested':
      return change(users, id, { reset: event.data.reset, resettable: true });
    case 'SecondFactorEnabled': {
      const { secret, recovery_codes: recoveryCodes } = event.data;
      return change(users, id, { secondFactor: { secret, recoveryCodes } });
    }
    case 'RecoveryCodeUsed':
      return users.map((user) => (user.id === id ? withoutCode(user, event.data.recovery_code) : user));
    case 'SecondFactorDisabled':
      return change(users, id, { secondFactor: null });
    case 'UserRemoved':
      return change(users, id, { status: 'removed', password: null, secondFactor: null, resettable: false });
    case 'UserForgotten':
      return change(users, id, { forgotten: true });
    default:
      return unreachable(event);
  }
};

const NOBODY: User = {
  id: '',
  status: 'abandoned',
  email: null,
  emailKey: '',
  emailClaim: 0,
  emailVerified: false,
  firstName: null,
  lastName: null,
  role: '',
  password: null,
  secondFactor: null,
  invitation: 0,
  reset: 0,
  resettable: false,
  forgotten: false,
};

const change = (users: readonly User[], id: string, changes: Partial<User>): readonly User[] =>
  users.map((user) => (user.id === id ? { ...user, ...changes } : user));

const withoutCode = (user: User, code: string): User => ({
  ...user,
  secondFactor: user.secondFactor && {
    ...user.secondFactor,
    recoveryCodes: user.secondFactor.recoveryCodes.filter((left) => left !== code),
  },
});
