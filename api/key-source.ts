import type { Handle } from '../commands/handle.ts';
import { organizationDecider, type ApiKey } from '../domain/organization/state.ts';
import type { Statuses } from '../projections/engine/status/statuses.ts';
import { organizations } from '../projections/organizations/projection.ts';
import type { Read } from '../projections/readers.ts';
import { StoreUnavailable } from '../stores/event-store/port.ts';
import type { KnownKey } from './authentication.ts';

/** Where API keys are looked up. */
export interface KeySource {
  /** by the SHA-256 of the key in hexadecimal; null when there is none or it was revoked */
  find: (hash: string) => Promise<KnownKey | null>;
  /** changes whenever a key may have been created or revoked; null while nothing may be remembered */
  version: () => bigint | null;
  /**
   * Makes everything in the log up to a position take effect now: until the read model has caught up, the log is read.
   *
   * @returns the position up to which the log is in effect from now on, whatever happens to the read model
   */
  takeEffect: TakeEffect;
}

export type TakeEffect = (position: bigint) => bigint;

export interface KeySourceOptions {
  read: Read;
  statuses: Pick<Statuses, 'of' | 'lag'>;
  load: Handle['load'];
  /** the log up to here is in effect from the first request on: a key made at the start, an earlier revocation */
  from: bigint;
  /** milliseconds; only differences count */
  clock?: () => number;
}

/** A read model that is further behind than this is late, seconds. */
const LATE = 1;
/** How long the keys of all organizations, as read from the log, are considered complete, milliseconds. */
const GATHERED_MS = 1_000;

/**
 * Looks API keys up in the read model while it follows the log, without reading the log. While the read model is
 * stopped, late or being rebuilt, each key is checked against its organization's stream, so a revoked key is
 * refused. If the log does not answer either, the read model decides: nothing can be revoked then.
 */
export const createKeySource = (options: KeySourceOptions): KeySource => {
  const { read, statuses, load, from, clock = () => performance.now() } = options;
  const model = read(organizations);
  /** the read model is trusted once it has reached this position; it only grows */
  let inEffect = from;
  let gathered: { keys: Promise<Map<string, KnownKey>>; at: number } | null = null;

  /** The position of the log that the read model has reached, while it can be trusted; otherwise null. */
  const modelled = (): bigint | null => {
    const { state, position } = statuses.of(organizations.name);
    const late = statuses.lag(organizations.name) > LATE;
    return state === 'live' && !late && position >= inEffect ? position : null;
  };

  const keysOf = async (organizationId: string): Promise<readonly ApiKey[]> => {
    const organization = await load(organizationId, organizationDecider, { organizationId });
    return organization.status === 'active' ? organization.apiKeys.filter(({ revoked }) => !revoked) : [];
  };

  /** The keys of all organizations, for a key that the read model lacks; shared by all lookups within a second. */
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
      const ofModel = document && {
        hash: document.id,
        keyId: document.api_key_id,
        organizationId: document.organization_id,
        role: document.role,
        expiresAt: document.expires_at,
      };
      if (modelled() !== null) return ofModel;
      try {
        return await inLog(hash, ofModel?.organizationId ?? null);
      } catch (error) {
        if (error instanceof StoreUnavailable) return ofModel;
        throw error;
      }
    },
    version: modelled,
    takeEffect: (position) => {
      inEffect = modelled() ?? inEffect;
      if (position > inEffect) inEffect = position;
      return inEffect;
    },
  };
};

const known = (organizationId: string, { id, hash, role, expiresAt }: ApiKey): KnownKey => ({
  hash,
  keyId: id,
  organizationId,
  role,
  expiresAt,
});
