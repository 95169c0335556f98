import { unreachable } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { RunnerEvent } from '../../domain/runner/events.ts';
import type { RunnerDocument } from '../../projections/runners/projection.ts';

/** A runner as the connection needs it. */
export interface RegisteredRunner {
  id: string;
  organization_id: string;
  name: string;
  /** id of the region */
  region: string;
  private: boolean;
}

interface Entry extends RegisteredRunner {
  token_hash: string;
  former_token: { hash: string; until: string } | null;
  isRevoked: boolean;
  /** its region went back to the built-in runner, as far as it depends on this runner */
  isReleased: boolean;
}

export interface FoundRunner {
  runner: RegisteredRunner;
  /** its former token still works, and need not any more */
  isNew: boolean;
}

/** All runners in memory: those of the read model, and what the log says after it. */
export interface RunnerList {
  add: (document: RunnerDocument) => void;
  /** @returns whether regions or tokens have changed by it */
  apply: (event: RunnerEvent & Pick<RecordedEvent, 'metadata'>) => boolean;
  /** @param now as an instant */
  byToken: (tokenHash: string, now: string) => FoundRunner | null;
  /** ids of the regions of those that are not released */
  remoteRegions: () => ReadonlySet<string>;
  /** ids of the regions of those that are not revoked */
  expectedRegions: () => ReadonlySet<string>;
}

export const createRunnerList = (): RunnerList => {
  const entries = new Map<string, Entry>();
  const byToken = new Map<string, string>();

  const change = (id: string, changes: Partial<Entry>): void => {
    const entry = entries.get(id);
    if (entry) entries.set(id, { ...entry, ...changes });
  };
  const regionsOf = (isOne: (entry: Entry) => boolean): ReadonlySet<string> =>
    new Set([...entries.values()].filter(isOne).map(({ region }) => region));

  return {
    add: ({ id, organization_id, name, region, private: isPrivate, token_hash, former_token, ...document }) => {
      const runner = { id, organization_id, name, region, private: isPrivate, token_hash, former_token };
      entries.set(id, { ...runner, isRevoked: document.revoked_at !== null, isReleased: document.released });
      byToken.set(token_hash, id);
      if (former_token) byToken.set(former_token.hash, id);
    },
    apply: ({ data, type, metadata }) => {
      const { runner_id: id } = data;
      switch (type) {
        case 'RunnerCreated': {
          // Documents may be ahead of the position from which the log is followed.
          if (entries.has(id)) return false;
          const { name, region, private: isPrivate, token_hash } = data;
          const runner = { id, organization_id: metadata.organization_id ?? '', name, region, private: isPrivate };
          entries.set(id, { ...runner, token_hash, former_token: null, isRevoked: false, isReleased: false });
          byToken.set(token_hash, id);
          return true;
        }
        case 'RunnerRenamed':
          change(id, { name: data.name });
          return false;
        case 'RunnerTokenRotated': {
          const { token_hash, former } = data;
          change(id, { token_hash, former_token: { hash: former.token_hash, until: former.until } });
          byToken.set(token_hash, id);
          return false;
        }
        case 'RunnerTokenConfirmed':
          change(id, { former_token: null });
          return false;
        case 'RunnerRevoked':
          change(id, { isRevoked: true, former_token: null });
          return true;
        case 'RunnerReleased':
          change(id, { isReleased: true });
          return true;
        case 'RunnerConnected':
        case 'RunnerDisconnected':
          return false;
        default:
          return unreachable(type);
      }
    },
    byToken: (hash, now) => {
      const entry = entries.get(byToken.get(hash) ?? '');
      if (!entry || entry.isRevoked) return null;
      const { id, organization_id, name, region, token_hash, former_token } = entry;
      const isFormer = former_token?.hash === hash && now < former_token.until;
      if (token_hash !== hash && !isFormer) return null;
      const runner = { id, organization_id, name, region, private: entry.private };
      return { runner, isNew: token_hash === hash && former_token !== null };
    },
    remoteRegions: () => regionsOf(({ isReleased }) => !isReleased),
    expectedRegions: () => regionsOf(({ isRevoked }) => !isRevoked),
  };
};
