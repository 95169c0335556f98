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
  /** changes whenever a key may have been made or revoked; null while nothing may be remembered */
  version: () => bigint | null;
  /**
   * Lets what the log has up to a position count from now on: until the read model has it, the log is asked.
   *
   * @returns up to where the log counts from now on, whatever becomes of the read model
   */
  takeEffect: TakeEffect;
}

export type TakeEffect = (position: bigint) => bigint;

export interface KeySourceOptions {
  read: Read;
  statuses: Pick<Statuses, 'of' | 'lag'>;
  load: Handle['load'];
  /** what the log has up to here is to count from the first request on: a key of the start, a revocation before */
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
  /** the read model must have passed it to be believed; it only grows */
  let inEffect = from;
  let gathered: { keys: Promise<Map<string, KnownKey>>; at: number } | null = null;

  /** Up to where the read model has the log, while it can be believed; else null. */
  const modelled = (): bigint | null => {
    const { state, position } = statuses.of(organizations.name);
    const late = statuses.lag(organizations.name) > LATE;
    return state === 'live' && !late && position >= inEffect ? position : null;
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
