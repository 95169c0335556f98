import { Conflict, Forbidden, Invalid } from '../errors.ts';
import { requireFound } from '../existence.ts';
import type { Instant } from '../time.ts';
import { requireAllowedIps } from './allowed-ips.ts';
import { hashOfApiKey, prefixOfApiKey } from './api-key.ts';
import type { OrganizationEvent } from './events.ts';
import { requireOrganizationName } from './name.ts';
import { includesRole, isRole, lesserRole, ROLES, type Role } from './roles.ts';
import { existing, type ActiveOrganization, type ApiKey, type Organization } from './state.ts';

/** Maximum number of keys per organization, including expired keys. */
export const MAX_API_KEYS = 1_000;
/**
 * Maximum number of keys per user, so that one user cannot use up the organization's keys. It also limits the size of
 * the append that removes a user, because this append revokes the user's keys.
 */
export const MAX_API_KEYS_PER_USER = 100;

/** The role that can assign roles. An organization must always have someone with this role. */
export const ADMIN: Role = 'admin';

/**
 * The creator of a key: either a user with a session (`keyId` is null), or an API key. That API key may belong to a
 * user.
 */
export interface KeyCreator {
  userId: string | null;
  keyId: string | null;
}

export interface NewApiKey {
  id: string;
  name: string;
  /** null: the role of the creator */
  role: string | null;
  expiresAt: Instant | null;
  origin: ApiKey['origin'];
  /**
   * Addresses and CIDR ranges that may use the new key. If the list is empty and another key creates the new key, the
   * new key gets the list of that key. If the list is empty and no key creates the new key, there is no restriction.
   */
  allowedIps: readonly string[];
  /** null: the operator creates the key */
  maker: KeyCreator | null;
  /** the key itself; only its hash and first characters are stored */
  key: string;
}

/** The limits that a new key may not exceed. */
interface Bounds {
  role: string;
  expiresAt: Instant | null;
  allowedIps: readonly string[];
}

const isExpired = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Instant): boolean =>
  expiresAt !== null && expiresAt <= now;

/** Whether a key is accepted: it has not expired, and its creator is an active user or the operator. */
const works = (organization: ActiveOrganization, key: ApiKey, now: Instant): boolean =>
  !isExpired(key, now) && effectiveRole(organization, key) !== null;

/**
 * Returns the effective role of a key: the key's own role, limited by the role of its creator. Returns null if the
 * creator is no longer an active user.
 */
const effectiveRole = ({ users }: ActiveOrganization, { role, createdBy }: ApiKey): string | null => {
  if (createdBy === null) return role;
  const maker = users.find(({ id }) => id === createdBy);
  return maker?.status === 'active' ? lesserRole(role, maker.role) : null;
};

/** @throws Forbidden the creator no longer has access */
const boundsOf = (organization: ActiveOrganization, { userId, keyId }: KeyCreator, now: Instant): Bounds => {
  if (keyId === null) {
    const user = organization.users.find(({ id, status }) => id === userId && status === 'active');
    if (user) return { role: user.role, expiresAt: null, allowedIps: [] };
  } else {
    const key = organization.apiKeys.find(({ id }) => id === keyId);
    const role = key && works(organization, key, now) ? effectiveRole(organization, key) : null;
    if (key && role !== null) return { role, expiresAt: key.expiresAt, allowedIps: key.allowedIps };
  }
  throw new Forbidden('The owner of this key no longer has access.');
};

/** @throws Invalid the role does not exist @throws Forbidden the role exceeds the creator's role */
const checkedRole = (role: string | null, bounds: Bounds | null): string => {
  const wanted = role ?? bounds?.role ?? '';
  if (!isRole(wanted)) {
    throw Invalid.field('role', `There is no role "${wanted}". The roles are ${ROLES.join(', ')}.`);
  }
  if (bounds && !includesRole(bounds.role, wanted)) {
    throw new Forbidden(
      `The role "${wanted}" in the field role exceeds your role, ${bounds.role}. A key can't have more permissions than ` +
        'its creator.',
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
      `Must not be later than ${latest}, when the API key that creates this one expires.`,
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
 * Creates a key. Its role cannot exceed the role of its creator. If the creator is another key, the new key cannot
 * expire later than the creating key, and cannot be used from addresses that the creating key does not allow. If the
 * maximum number of keys is reached, expired keys are revoked to make room.
 *
 * @throws NotFound the organization does not exist
 * @throws Invalid the name is blank or too long; the role does not exist; the expiry is in the past, or later than that
 * of the creating key; an address is invalid, or not allowed for the creating key
 * @throws Forbidden the role exceeds the creator's role; the maximum number of keys is reached
 * @throws Conflict the same key already exists or was revoked
 */
export const createApiKey = (organization: Organization, input: NewApiKey, now: Instant): OrganizationEvent[] => {
  const active = existing(organization);
  const bounds = input.maker && boundsOf(active, input.maker, now);
  const name = requireOrganizationName(input.name);
  const expiresAt = checkedExpiry(input.expiresAt, bounds, now);
  const allowedIps = requireAllowedIps(input.allowedIps, bounds?.allowedIps ?? []);
  const role = checkedRole(input.role, bounds);
  const hash = hashOfApiKey(input.key);
  if (active.apiKeys.some((key) => key.hash === hash) || wasRevoked(active, hash)) {
    throw new Conflict('This API key already exists.');
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
 * Returns the events that make room for one more key of a user in the organization. If the user or the organization has
 * the maximum number of keys, the keys that expired first are revoked.
 *
 * @throws Forbidden too many keys have not expired
 */
const roomMade = (active: ActiveOrganization, userId: string | null, now: Instant): OrganizationEvent[] => {
  const { id, apiKeys } = active;
  const own = userId === null ? [] : apiKeys.filter(({ createdBy }) => createdBy === userId);
  const ownExpired = expiredToRevoke(own, MAX_API_KEYS_PER_USER, 'A user', now);
  const left = apiKeys.filter((key) => !ownExpired.includes(key));
  return [...ownExpired, ...expiredToRevoke(left, MAX_API_KEYS, 'An organization', now)].map((key) =>
    apiKeyRevoked(id, key),
  );
};

/**
 * Returns the expired keys that must be revoked before one more key is added.
 *
 * @throws Forbidden too many keys have not expired
 */
const expiredToRevoke = (keys: readonly ApiKey[], most: number, whose: string, now: Instant): ApiKey[] => {
  const expired = keys.filter((key) => isExpired(key, now));
  if (keys.length - expired.length >= most) {
    throw new Forbidden(`${whose} can have at most ${most} API keys. Delete unused ones.`);
  }
  return expired
    .sort((one, other) => ((one.expiresAt ?? '') < (other.expiresAt ?? '') ? -1 : 1))
    .slice(0, Math.max(0, keys.length + 1 - most));
};

/**
 * Revokes a key, unless the key is the only admin access to the organization. After the revocation, there must be a
 * user with the role admin who can sign in, or another admin key that can replace the revoked key (see `canReplace`).
 *
 * @throws NotFound the key does not exist, or was already revoked
 * @throws Conflict the key is the only admin access
 */
export const revokeApiKey = (organization: Organization, keyId: string, now: Instant): OrganizationEvent => {
  const active = existing(organization);
  const key = requireFound(
    active.apiKeys.find(({ id }) => id === keyId),
    'API key',
  );
  if (administers(active, key, now) && !hasOtherWayIn(active, key, now)) {
    throw new Conflict('This is the last admin key of the organization. Create another one first.');
  }
  return apiKeyRevoked(active.id, key);
};

const administers = (organization: ActiveOrganization, key: ApiKey, now: Instant): boolean =>
  works(organization, key, now) && effectiveRole(organization, key) === ADMIN;

const hasOtherWayIn = (organization: ActiveOrganization, key: ApiKey, now: Instant): boolean =>
  organization.users.some(({ status, role }) => status === 'active' && role === ADMIN) ||
  organization.apiKeys.some(
    (other) => other.id !== key.id && administers(organization, other, now) && canReplace(other, key),
  );

/**
 * Whether `other` can replace `key`. `other` must not expire earlier than `key`. If `key` can be used from any address,
 * `other` must not be restricted to certain addresses.
 */
const canReplace = (other: ApiKey, key: ApiKey): boolean =>
  (other.expiresAt === null || (key.expiresAt !== null && other.expiresAt >= key.expiresAt)) &&
  (other.allowedIps.length === 0 || key.allowedIps.length > 0);

export const apiKeyRevoked = (organizationId: string, key: ApiKey): OrganizationEvent => ({
  type: 'ApiKeyRevoked',
  data: { organization_id: organizationId, api_key_id: key.id, hash: key.hash },
});
