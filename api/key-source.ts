import type { Handle } from '../commands/engine/handle.ts';
import { lesserRole } from '../domain/organization/roles.ts';
import { organizationDecider, type ActiveOrganization, type ApiKey } from '../domain/organization/state.ts';
import type { Statuses } from '../projections/engine/status/statuses.ts';
import type { ApiKeyDocument, UserDocument } from '../projections/organizations/documents.ts';
import { organizations } from '../projections/organizations/projection.ts';
import type { Read } from '../projections/readers.ts';
import type { KnownKey, KnownUser } from './authentication.ts';
import { createAccessDecisions, type TakeEffect } from './access-decisions.ts';

export type { TakeEffect } from './access-decisions.ts';

/** Looks up API keys and users. */
export interface KeySource {
  /**
   * Finds a key by its SHA-256 in hexadecimal, with its current role.
   *
   * @returns null if the key is unknown or revoked, or its creator is not active any more
   */
  find: (hash: string) => Promise<KnownKey | null>;
  /** Finds an active user of an organization. Returns null if there is none. */
  user: (organizationId: string, userId: string) => Promise<KnownUser | null>;
  /**
   * Returns a number that changes whenever a key or user might have changed. Returns null if callers must not cache.
   */
  version: () => bigint | null;
  takeEffect: TakeEffect;
}

export interface KeySourceOptions {
  /** Reads read models. The reads need not wait until the models have caught up, because the log is read as well. */
  read: Read;
  /** Returns the ids of organizations created after a position of the log. Default: an empty list. */
  createdAfter?: (position: bigint) => Promise<readonly string[]>;
  statuses: Pick<Statuses, 'of' | 'lag' | 'isCurrent' | 'wantPosition'>;
  load: Handle['load'];
  /**
   * Events up to this log position must be in effect from the first request on. They include the initial keys, and all
   * revocations before the start of this process.
   */
  from: bigint;
  /**
   * Returns whether this process was recently informed up to which log position revocations must be in effect
   * (service/cluster/revocations.ts). Default: always true.
   */
  isInformed?: () => boolean;
  /** Returns milliseconds from any origin, such as `performance.now()`. */
  clock?: () => number;
}

/** How long keys that were read from the log are cached, in milliseconds. */
const GATHERED_MS = 1_000;

/**
 * Looks up API keys and users in the read model while the read model follows the log. While the read model is stopped,
 * late or being rebuilt, each lookup also reads the stream of the organization, so that revocations take effect. If the
 * log is unavailable too, the read model is used unless it is known to lack a revocation. This is safe, because no key
 * can be revoked while the log is unavailable.
 */
export const createKeySource = (options: KeySourceOptions): KeySource => {
  const { read, statuses, load, from, isInformed } = options;
  const { createdAfter = async () => [], clock = () => performance.now() } = options;
  const model = read(organizations);
  const inEffect = createAccessDecisions(organizations.name, { statuses, from, isInformed });
  let gathered: { organizations: Promise<Map<string, string>>; at: number } | null = null;

  const organizationOf = async (organizationId: string): Promise<ActiveOrganization | null> => {
    const organization = await load(organizationId, organizationDecider, { organizationId });
    return organization.status === 'active' ? organization : null;
  };

  /**
   * Reads the log to find the organizations of keys that the read model lacks. Returns the organization ids by key
   * hash.
   */
  const gather = async (): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    const { position } = statuses.of(organizations.name);
    const known = (await model.organizations.find({})).map(({ id }) => id);
    // After a crash, the read model might lack an organization that was created in the seconds before the crash. So the
    // organizations created after the position of the read model are searched too.
    for (const id of new Set([...known, ...(await createdAfter(position))])) {
      for (const { hash } of (await organizationOf(id))?.apiKeys ?? []) found.set(hash, id);
    }
    return found;
  };

  const gatheredOrganizations = (): Promise<Map<string, string>> => {
    if (!gathered || clock() - gathered.at > GATHERED_MS) {
      gathered = { organizations: gather(), at: clock() };
      gathered.organizations.catch(() => (gathered = null));
    }
    return gathered.organizations;
  };

  const userOfModel = async (organizationId: string, userId: string): Promise<KnownUser | null> => {
    const user = await model.users.get(userId);
    return user?.organization_id === organizationId ? knownUser(user) : null;
  };

  const userInLog = (organization: ActiveOrganization | null, userId: string): KnownUser | null => {
    const user = organization?.users.find(({ id }) => id === userId);
    return user && organization ? knownUser({ ...user, organization_id: organization.id }) : null;
  };

  return {
    find: async (hash) => {
      const document = await model.api_keys.get(hash);
      const { organization_id: organizationId, created_by: madeBy } = document ?? {};
      const maker = madeBy && organizationId ? await userOfModel(organizationId, madeBy) : null;
      return inEffect.decide(document && inHandsOf(maker, keyOfModel(document)), async () => {
        const id = organizationId ?? (await gatheredOrganizations()).get(hash);
        const organization = id === undefined ? null : await organizationOf(id);
        const key = organization?.apiKeys.find((candidate) => candidate.hash === hash);
        if (!key || !organization) return null;
        const { createdBy } = key;
        return inHandsOf(
          createdBy === null ? null : userInLog(organization, createdBy),
          keyInLog(organization.id, key),
        );
      });
    },
    user: async (organizationId, userId) =>
      inEffect.decide(await userOfModel(organizationId, userId), async () =>
        userInLog(await organizationOf(organizationId), userId),
      ),
    version: inEffect.version,
    takeEffect: inEffect.takeEffect,
  };
};

/** Limits the role of a key to the current role of its creator. Returns null if the creator is not active any more. */
const inHandsOf = (maker: KnownUser | null, key: KnownKey): KnownKey | null => {
  if (key.createdBy === null) return key;
  return maker && { ...key, role: lesserRole(key.role, maker.role) };
};

const knownUser = ({
  id: userId,
  organization_id: organizationId,
  role,
  status,
}: Pick<UserDocument, 'id' | 'organization_id' | 'role'> & { status: string }): KnownUser | null =>
  status === 'active' ? { userId, organizationId, role } : null;

const keyOfModel = (document: ApiKeyDocument): KnownKey => ({
  hash: document.id,
  keyId: document.api_key_id,
  organizationId: document.organization_id,
  role: document.role,
  createdBy: document.created_by,
  allowedIps: document.allowed_ips,
  expiresAt: document.expires_at,
});

const keyInLog = (organizationId: string, key: ApiKey): KnownKey => ({
  hash: key.hash,
  keyId: key.id,
  organizationId,
  role: key.role,
  createdBy: key.createdBy,
  allowedIps: key.allowedIps,
  expiresAt: key.expiresAt,
});
