/** Events of keys, users, subscriptions and sessions, for tests. */
import type { EventData, EventOf, EventType } from '../../../domain/event-types.ts';
import { hashOfApiKey, prefixOfApiKey } from '../../../domain/organization/api-key.ts';
import { userKey } from '../../../domain/organization/user.ts';
import type { Sealed } from '../../../domain/sealed.ts';

export const ACME = 'acme';
export const ANN = 'user00000ann';

/** Returns a text sealed with the key of a user. */
export const sealedOf = (text: string, userId: string = ANN): Sealed => ({ key: userKey(userId), sealed: text });

const ids = { organization_id: ACME, user_id: ANN };
const fact = <T extends EventType>(type: T, data: EventData[T]): EventOf<T> => ({ type, data });

export const organizationCreated = fact('OrganizationCreated', { organization_id: ACME, name: 'Acme' });

/** Returns the creation of an API key with the role admin, without expiry, address limits or user. */
export const keyCreated = (key: string, changes: Partial<EventData['ApiKeyCreated']> = {}): EventOf<'ApiKeyCreated'> =>
  fact('ApiKeyCreated', {
    organization_id: ACME,
    api_key_id: `id of ${key}`,
    name: 'Admin',
    prefix: prefixOfApiKey(key),
    hash: hashOfApiKey(key),
    role: 'admin',
    expires_at: null,
    origin: 'request',
    created_by: null,
    created_by_key: null,
    allowed_ips: [],
    ...changes,
  });
export const keyRevoked = (key: string): EventOf<'ApiKeyRevoked'> =>
  fact('ApiKeyRevoked', { organization_id: ACME, api_key_id: `id of ${key}`, hash: hashOfApiKey(key) });

export const RECOVERY_CODES = ['1'.repeat(64), '2'.repeat(64)];

export const invited = (changes: Partial<EventData['UserInvited']> = {}): EventOf<'UserInvited'> =>
  fact('UserInvited', {
    ...ids,
    email: sealedOf('ann@example.com'),
    email_key: 'key of ann@example.com',
    email_claim: 1,
    role: 'editor',
    invitation: 1,
    ...changes,
  });
export const resent = fact('InvitationResent', { ...ids, invitation: 2 });
export const joined = (changes: Partial<EventData['UserJoined']> = {}): EventOf<'UserJoined'> =>
  fact('UserJoined', {
    ...ids,
    first_name: sealedOf('Ann'),
    last_name: sealedOf('Lee'),
    password: sealedOf('$argon2id$v=19$m=19456,t=2,p=1$salt$hash'),
    email_verified: true,
    ...changes,
  });
export const renamed = fact('UserProfileChanged', {
  ...ids,
  changes: { first_name: sealedOf('Anna') },
  previous: { first_name: sealedOf('Ann') },
});
export const promoted = fact('UserRoleChanged', { ...ids, role: 'admin', previous: 'editor' });
export const passwordChanged = fact('UserPasswordChanged', {
  ...ids,
  password: sealedOf('$argon2id$v=19$m=19456,t=2,p=1$salt$other'),
  by: 'user',
  email_verified: false,
});
export const resetRequested = fact('PasswordResetRequested', { ...ids, reset: 1 });
export const secondFactorEnabled = fact('SecondFactorEnabled', {
  ...ids,
  secret: sealedOf('JBSWY3DPEHPK3PXP'),
  recovery_codes: RECOVERY_CODES,
});
export const recoveryCodeUsed = fact('RecoveryCodeUsed', { ...ids, recovery_code: '1'.repeat(64) });
export const secondFactorDisabled = fact('SecondFactorDisabled', { ...ids, by: 'user' });
export const userRemoved = fact('UserRemoved', ids);
export const userForgotten = fact('UserForgotten', ids);

const session = { session_id: 'session00001', ...ids };
export const sessionStarted = fact('SessionStarted', {
  ...session,
  methods: ['password', 'totp'],
  expires_at: '2026-12-20T15:00:00.000000',
});
export const sessionEnded = fact('SessionEnded', { ...session, reason: 'signed_out' });
export const signInsFailed = fact('SignInsFailed', {
  ...ids,
  count: 7,
  first_at: '2026-11-20T15:00:00.000000',
  last_at: '2026-11-20T15:12:00.000000',
});

/** All events of a user in a possible order. */
export const USER_EVENTS = [
  invited(),
  resent,
  joined(),
  renamed,
  promoted,
  passwordChanged,
  resetRequested,
  secondFactorEnabled,
  recoveryCodeUsed,
  sessionStarted,
  signInsFailed,
  sessionEnded,
  secondFactorDisabled,
  userRemoved,
  userForgotten,
] as const;

export const TEAM_PLAN: EventData['SubscriptionStarted']['plan'] = {
  id: 'team',
  name: 'Team',
  description: null,
  price: { amount: 499_000, currency: 'EUR' },
  duration: 30,
  limits: { credits: 100_000, checks: 50, pages: 3, users: 10, shortest_interval: 60 },
};
const subscription = { organization_id: ACME, subscription_id: 'subscription' };
export const subscribed = fact('SubscriptionStarted', {
  ...subscription,
  plan: TEAM_PLAN,
  start_date: '2026-11-20T15:00:00.000000',
  end_date: '2026-12-20T15:00:00.000000',
  payment_id: 'payment00001',
});
export const extended = fact('SubscriptionExtended', {
  ...subscription,
  end_date: '2027-01-19T15:00:00.000000',
  previous: { end_date: '2026-12-20T15:00:00.000000' },
  payment_id: 'payment00002',
});
export const notRenewed = fact('SubscriptionNotRenewed', {
  ...subscription,
  plan_name: TEAM_PLAN.name,
  end_date: '2027-01-19T15:00:00.000000',
});
export const subscriptionEnded = fact('SubscriptionEnded', { ...subscription, ended_at: '2027-01-19T15:00:00.000000' });
export const updated = fact('OrganizationUpdated', {
  organization_id: ACME,
  changes: { name: 'Acme Ltd', auto_renew: true },
  previous: { name: 'Acme', auto_renew: false },
});
