import type { Handle } from '../commands/handle.ts';
import { organizationDecider, type ApiKey } from '../domain/organization/state.ts';
import type { Statuses } from '../projections/engine/statuses.ts';
import { organizations } from '../projections/organizations/projection.ts';
import type { Read } from '../projections/readers.ts';
import { StoreUnavailable } from '../stores/event-store/port.ts';
import type { KnownKey } from './authentication.ts';

/** Where API keys are looked up. */
export interface KeySource {
  /** by the SHA-256 of the key in hexadecimal; null when there is none or it was revoked */
  find: (hash: string) => Promise<KnownKey | null>;
  /** changes whenever a key may have been made or revoked; null while nothing may be remembered */
  version: () => bigint | null;
  /** What of the log is in effect. */
  seen: () => KeysSeen;
}

/** How far this process knows which API keys there are. */
export interface KeysSeen {
  /** what the log has up to here is in effect */
  position: bigint;
  /** false while the log itself is asked, since the read model does not follow it: then all is in effect */
  followed: boolean;
}

export interface KeySourceOptions {
  read: Read;
  statuses: Pick<Statuses, 'of' | 'lag'>;
  load: Handle['load'];
  /** what the log has up to here is to be in effect from the first request on: a key of the start, a revocation before */
  from: bigint;
  /** milliseconds; only differences count */
  clock?: () => number;
}

/** A read model that is further behind than that is late, seconds. */
const LATE = 1;
/** How long the keys of all organizations, read from the log, are believed to be all, milliseconds. */
const GATHERED_MS = 1_000;

/**
 * Looks API keys up in the read model while it follows the log: that costs no look into the log. While it
 * is stopped, late or being built anew, each key is held against its organization's stream, so that one
 * that was revoked is refused. Where the log does not answer either, the read model stands: nothing can be
 * revoked then.
 */
export const createKeySource = (options: KeySourceOptions): KeySource => {
  const { read, statuses, load, from, clock = () => performance.now() } = options;
  const model = read(organizations);
  let gathered: { keys: Promise<Map<string, KnownKey>>; at: number } | null = null;

  const seen = (): KeysSeen => {
    const { state, position } = statuses.of(organizations.name);
    const late = statuses.lag(organizations.name) > LATE;
    return { position, followed: state === 'live' && !late && position >= from };
  };

  const keysOf = async (organizationId: string): Promise<readonly ApiKey[]> => {
    const organization = await load(organizationId, organizationDecider, { organizationId });
    return organization.status === 'active' ? organization.apiKeys.filter(({ revoked }) => !revoked) : [];
  };

  /** Keys that the read model does not know of yet, shared by all who ask within a second. */
  const gather = async (): Promise<Map<string, KnownKey>> => {
    const keys = new Map<string, KnownKey>();
    for (const { id } of await model.organizations.find({})) {
      for (const key of await keysOf(id)) keys.set(key.hash, known(id, key));
    }
    return keys;
  };

  const gatheredKeys = (): Promise<Map<string, KnownKey>> => {
    if (!gathered || clock() - gathered.at > GATHERED_MS) {
      gathered = { keys: gather(), at: clock() };
      gathered.keys.catch(() => (gathered = null));
    }
    return gathered.keys;
  };

  const inLog = async (hash: string, organizationId: string | null): Promise<KnownKey | null> => {
    const id = organizationId ?? (await gatheredKeys()).get(hash)?.organizationId;
    if (id === undefined) return null;
    const key = (await keysOf(id)).find((candidate) => candidate.hash === hash);
    return key ? known(id, key) : null;
  };

  return {
    find: async (hash) => {
      const document = await model.api_keys.get(hash);
      const modelled = document && {
        hash: document.id,
        keyId: document.api_key_id,
        organizationId: document.organization_id,
        role: document.role,
        expiresAt: document.expires_at,
      };
      if (seen().followed) return modelled;
      try {
        return await inLog(hash, modelled?.organizationId ?? null);
      } catch (error) {
        if (error instanceof StoreUnavailable) return modelled;
        throw error;
      }
    },
    version: () => {
      const { position, followed } = seen();
      return followed ? position : null;
    },
    seen,
  };
};

const known = (organizationId: string, { id, hash, role, expiresAt }: ApiKey): KnownKey => ({
  hash,
  keyId: id,
  organizationId,
  role,
  expiresAt,
});
