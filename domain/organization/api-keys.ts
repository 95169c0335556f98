import { Conflict, Forbidden, Invalid } from '../errors.ts';
import { found } from '../lifecycle.ts';
import type { Instant } from '../time.ts';
import { checkedAllowedIps } from './allowed-ips.ts';
import { hashOfApiKey, prefixOfApiKey } from './api-key.ts';
import type { OrganizationEvent } from './events.ts';
import { checkedName } from './name.ts';
import { includesRole, isRole, lesserRole, ROLES, type Role } from './roles.ts';
import { existing, type ActiveOrganization, type ApiKey, type Organization } from './state.ts';

/** How many keys of an organization may work at a time; with those that have expired there are no more either. */
export const MOST_API_KEYS = 1_000;
/**
 * How many of them may be of one user: nobody uses up those of all, and who is removed loses them in the same append,
 * which is bounded.
 */
export const MOST_API_KEYS_OF_A_USER = 100;

/** The role without which nobody could assign roles. */
export const ADMIN: Role = 'admin';

/** Who makes a key: a user by a session (`keyId` null), or a key, which belongs to a user or to nobody. */
export interface Maker {
  userId: string | null;
  keyId: string | null;
}

export interface NewApiKey {
  id: string;
  name: string;
  /** null: the maker's own */
  role: string | null;
  expiresAt: Instant | null;
  origin: ApiKey['origin'];
  /** addresses and CIDR ranges that it works from; empty: those of the key that makes it, else everywhere */
  allowedIps: readonly string[];
  /** null: the operator */
  maker: Maker | null;
  /** the key itself; only its hash and first characters are kept */
  key: string;
}

/** What a key can't go beyond. */
interface Bounds {
  role: string;
  expiresAt: Instant | null;
  allowedIps: readonly string[];
}

const isExpired = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Instant): boolean =>
  expiresAt !== null && expiresAt <= now;

/** Whether a key that was not revoked is taken: it has not expired, and whoever made it is active. */
const works = (organization: ActiveOrganization, key: ApiKey, now: Instant): boolean =>
  !isExpired(key, now) && presentRole(organization, key) !== null;

/** What a key may do now: never more than whoever made it; null: that one is no longer active. */
const presentRole = ({ users }: ActiveOrganization, { role, createdBy }: ApiKey): string | null => {
  if (createdBy === null) return role;
  const maker = users.find(({ id }) => id === createdBy);
  return maker?.status === 'active' ? lesserRole(role, maker.role) : null;
};

/** @throws Forbidden who asks has lost access meanwhile */
const boundsOf = (organization: ActiveOrganization, { userId, keyId }: Maker, now: Instant): Bounds => {
  if (keyId === null) {
    const user = organization.users.find(({ id, status }) => id === userId && status === 'active');
    if (user) return { role: user.role, expiresAt: null, allowedIps: [] };
  } else {
    const key = organization.apiKeys.find(({ id }) => id === keyId);
    const role = key && works(organization, key, now) ? presentRole(organization, key) : null;
    if (key && role !== null) return { role, expiresAt: key.expiresAt, allowedIps: key.allowedIps };
  }
  throw new Forbidden('Whoever asks for this key has no access any more.');
};

/** @throws Invalid there is no such role @throws Forbidden it is above the maker's */
const checkedRole = (role: string | null, bounds: Bounds | null): string => {
  const wanted = role ?? bounds?.role ?? '';
  if (!isRole(wanted)) {
    throw Invalid.field('role', `There is no role "${wanted}". There are ${ROLES.join(', ')}.`);
  }
  if (bounds && !includesRole(bounds.role, wanted)) {
    throw new Forbidden(
      `The role "${wanted}" in the field role goes beyond yours, which is ${bounds.role}: a key may do no more than ` +
        'whoever makes it.',
    );
  }
  return wanted;
};

/** @throws Invalid */
const checkedExpiry = (wanted: Instant | null, bounds: Bounds | null, now: Instant): Instant | null => {
  if (wanted !== null && wanted <= now) throw Invalid.field('expires_at', 'Must be in the future.');
  const latest = bounds?.expiresAt ?? null;
  if (latest === null || wanted === null) return wanted ?? latest;
  if (wanted > latest) {
    throw Invalid.field(
      'expires_at',
      `Must not be later than ${latest}, when the API key that makes this one expires.`,
    );
  }
  return wanted;
};

/** Whether a key was revoked. */
export const wasRevoked = ({ revokedKeys }: ActiveOrganization, hash: string): boolean => {
  for (let key = revokedKeys; key; key = key.before) if (key.hash === hash) return true;
  return false;
};

/**
 * A key gets no more than whoever makes it has at that moment: neither another role, nor, made by a key, a longer life
 * or other addresses. One that has expired makes room for it where there are as many as there may be.
 *
 * @throws NotFound there is no such organization
 * @throws Invalid the name is blank or too long, there is no such role, the key has expired before it is made or lives
 *   longer than its maker, an address is none or outside of the maker's
 * @throws Forbidden the role is above the maker's; there are as many keys as there may be
 * @throws Conflict the same key was made before, revoked or not
 */
export const createApiKey = (organization: Organization, input: NewApiKey, now: Instant): OrganizationEvent[] => {
  const active = existing(organization);
  const bounds = input.maker && boundsOf(active, input.maker, now);
  const name = checkedName(input.name);
  const expiresAt = checkedExpiry(input.expiresAt, bounds, now);
  const allowedIps = checkedAllowedIps(input.allowedIps, bounds?.allowedIps ?? []);
  const role = checkedRole(input.role, bounds);
  const hash = hashOfApiKey(input.key);
  if (active.apiKeys.some((key) => key.hash === hash) || wasRevoked(active, hash)) {
    throw new Conflict('This API key was made before.');
  }
  const created: OrganizationEvent = {
    type: 'ApiKeyCreated',
    data: {
      organization_id: active.id,
      api_key_id: input.id,
      name,
      prefix: prefixOfApiKey(input.key),
      hash,
      role,
      expires_at: expiresAt,
      origin: input.origin,
      created_by: input.maker?.userId ?? null,
      created_by_key: input.maker?.keyId ?? null,
      allowed_ips: allowedIps,
    },
  };
  return input.origin === 'request' ? [created, ...roomMade(active, input.maker?.userId ?? null, now)] : [created];
};

/**
 * What makes room for one more key, its maker's and the organization's: those that expired first go where there are as
 * many as there may be.
 *
 * @throws Forbidden
 */
const roomMade = (active: ActiveOrganization, userId: string | null, now: Instant): OrganizationEvent[] => {
  const { id, apiKeys } = active;
  const own = userId === null ? [] : apiKeys.filter(({ createdBy }) => createdBy === userId);
  const ownGone = goneFor(own, MOST_API_KEYS_OF_A_USER, 'A user', now);
  const left = apiKeys.filter((key) => !ownGone.includes(key));
  return [...ownGone, ...goneFor(left, MOST_API_KEYS, 'An organization', now)].map((key) => apiKeyRevoked(id, key));
};

/** Those of some keys that go before there is one more. @throws Forbidden too many of them have not expired */
const goneFor = (keys: readonly ApiKey[], most: number, whose: string, now: Instant): ApiKey[] => {
  const expired = keys.filter((key) => isExpired(key, now));
  if (keys.length - expired.length >= most) {
    throw new Forbidden(`${whose} has at most ${most} API keys at a time. Delete those that are no longer used.`);
  }
  return expired
    .sort((one, other) => ((one.expiresAt ?? '') < (other.expiresAt ?? '') ? -1 : 1))
    .slice(0, Math.max(0, keys.length + 1 - most));
};

/**
 * Revokes a key, unless that could leave an organization that nobody administers: somebody with the role admin who can
 * sign in, or another admin key, must stay for as long as this one would have worked, and from everywhere if it does.
 *
 * @throws NotFound there is no such key, or it was revoked before
 * @throws Conflict it is the last way in for an admin
 */
export const revokeApiKey = (organization: Organization, keyId: string, now: Instant): OrganizationEvent => {
  const active = existing(organization);
  const key = found(
    active.apiKeys.find(({ id }) => id === keyId),
    'API key',
  );
  if (administers(active, key, now) && !hasOtherWayIn(active, key, now)) {
    throw new Conflict('This is the last admin key of the organization. Create another one first.');
  }
  return apiKeyRevoked(active.id, key);
};

const administers = (organization: ActiveOrganization, key: ApiKey, now: Instant): boolean =>
  works(organization, key, now) && presentRole(organization, key) === ADMIN;

const hasOtherWayIn = (organization: ActiveOrganization, key: ApiKey, now: Instant): boolean =>
  organization.users.some(({ status, role }) => status === 'active' && role === ADMIN) ||
  organization.apiKeys.some(
    (other) => other.id !== key.id && administers(organization, other, now) && standsInFor(other, key),
  );

/** Whether a key works for as long as another one, and wherever that does. */
const standsInFor = (other: ApiKey, key: ApiKey): boolean =>
  (other.expiresAt === null || (key.expiresAt !== null && other.expiresAt >= key.expiresAt)) &&
  (other.allowedIps.length === 0 || key.allowedIps.length > 0);

export const apiKeyRevoked = (organizationId: string, key: ApiKey): OrganizationEvent => ({
  type: 'ApiKeyRevoked',
  data: { organization_id: organizationId, api_key_id: key.id, hash: key.hash },
});
