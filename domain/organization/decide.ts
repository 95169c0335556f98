import { Conflict, Invalid } from '../errors.ts';
import { found } from '../lifecycle.ts';
import type { Instant } from '../time.ts';
import { isBlank, NOT_BLANK } from '../text.ts';
import { hashOfApiKey, prefixOfApiKey } from './api-key.ts';
import type { OrganizationEvent } from './events.ts';
import { isRole, ROLES, type Role } from './roles.ts';
import { existing, organizationDecider, requireAbsent, type ApiKey, type Organization } from './state.ts';

export const LONGEST_NAME = 100;

/** The role without which nobody could assign roles. */
const ADMIN: Role = 'admin';

export interface NewApiKey {
  id: string;
  name: string;
  role: string;
  expiresAt: Instant | null;
  origin: ApiKey['origin'];
  /** the key itself; only its hash and first characters are kept */
  key: string;
}

/** @throws Conflict the organization exists already */
export const createOrganization = (
  organization: Organization,
  { id, name }: { id: string; name: string },
): OrganizationEvent => {
  requireAbsent(organization);
  return { type: 'OrganizationCreated', data: { organization_id: id, name: checkedName(name) } };
};

/**
 * @throws NotFound there is no such organization
 * @throws Invalid the name is blank or too long, there is no such role, or the key has expired before it is made
 * @throws Conflict the same key was made before, revoked or not
 */
export const createApiKey = (organization: Organization, input: NewApiKey, now: Instant): OrganizationEvent => {
  const { id, apiKeys } = existing(organization);
  if (input.expiresAt !== null && input.expiresAt <= now) {
    throw Invalid.field('expires_at', 'Must be in the future.');
  }
  if (!isRole(input.role)) {
    throw Invalid.field('role', `There is no role "${input.role}". There are ${ROLES.join(', ')}.`);
  }
  const hash = hashOfApiKey(input.key);
  if (apiKeys.some((key) => key.hash === hash)) throw new Conflict('This API key was made before.');
  return {
    type: 'ApiKeyCreated',
    data: {
      organization_id: id,
      api_key_id: input.id,
      name: checkedName(input.name),
      prefix: prefixOfApiKey(input.key),
      hash,
      role: input.role,
      expires_at: input.expiresAt,
      origin: input.origin,
    },
  };
};

/**
 * @throws NotFound there is no such key, or it was revoked before
 * @throws Conflict no other key of role admin would be left that works at `now`
 */
export const revokeApiKey = (organization: Organization, keyId: string, now: Instant): OrganizationEvent => {
  const { id, apiKeys } = existing(organization);
  const key = found(
    apiKeys.find((candidate) => candidate.id === keyId && !candidate.revoked),
    'API key',
  );
  const works = (other: ApiKey): boolean => !other.revoked && (other.expiresAt === null || other.expiresAt > now);
  if (key.role === ADMIN && works(key)) {
    const left = apiKeys.some((other) => other !== key && other.role === ADMIN && works(other));
    if (!left) throw new Conflict('This is the last admin key of the organization. Create another one first.');
  }
  return revoked(id, key);
};

/** The key of the first start: from `ADMIN_API_KEY`, or generated if that is not set. */
export interface FirstKey {
  id: string;
  key: string;
  origin: 'environment' | 'first_start';
}

/**
 * What a start does to the first organization: creates it with its admin key if it is absent. Later,
 * `ADMIN_API_KEY` is the organization's key from the environment: an earlier one from there is
 * replaced, and a revoked key does not come back.
 */
export const bootstrapOrganization = (
  organization: Organization,
  first: { id: string; name: string; key: FirstKey },
  now: Instant,
): OrganizationEvent[] => {
  const adminKey = { ...first.key, name: 'Admin', role: ADMIN, expiresAt: null };
  if (organization.status === 'absent') {
    const created = createOrganization(organization, first);
    return [created, createApiKey(organizationDecider.evolve(organization, created), adminKey, now)];
  }
  const hash = hashOfApiKey(first.key.key);
  if (first.key.origin !== 'environment' || organization.apiKeys.some((key) => key.hash === hash)) return [];
  const earlier = organization.apiKeys.filter((key) => key.origin === 'environment' && !key.revoked);
  return [createApiKey(organization, adminKey, now), ...earlier.map((key) => revoked(organization.id, key))];
};

const revoked = (organizationId: string, key: ApiKey): OrganizationEvent => ({
  type: 'ApiKeyRevoked',
  data: { organization_id: organizationId, api_key_id: key.id, hash: key.hash },
});

const checkedName = (name: string): string => {
  const trimmed = name.trim();
  if (isBlank(trimmed)) throw Invalid.field('name', NOT_BLANK);
  if (Array.from(trimmed).length > LONGEST_NAME) {
    throw Invalid.field('name', `Must be at most ${LONGEST_NAME} characters long.`);
  }
  return trimmed;
};
