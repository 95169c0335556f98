import { unreachable } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { RunnerEvent } from '../../domain/runner/events.ts';
import { instantOf } from '../../domain/time.ts';
import type { Clock } from '../../network/clock.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import { ReadModelUnavailable } from '../../projections/readers.ts';
import { runners } from '../../projections/runners/projection.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

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

/** Which runner has which token, and which regions are left to remote runners, as the log has it. */
export interface RunnerRegistry {
  /** when the runners are known for the first time */
  loaded: Promise<void>;
  /**
   * The runner of a token; null: there is none.
   *
   * @throws ReadModelUnavailable they are not known yet
   */
  known: (tokenHash: string) => FoundRunner | null;
  /** The same; one that was just made may still be on its way here, so it waits a moment. */
  find: (tokenHash: string) => Promise<FoundRunner | null>;
  /** ids of the regions that the built-in runner leaves alone */
  remoteRegions: () => ReadonlySet<string>;
  /** ids of the regions that remote runners are to serve: those with a token that is not revoked */
  expectedRegions: () => ReadonlySet<string>;
  /** Calls back with each runner whose token was revoked, and null for any other change of a region. */
  onChange: (changed: (revoked: string | null) => void) => void;
  stop: () => void;
}

export interface RegistryOptions {
  main: Pick<EventStore, 'subscribe'>;
  readers: Pick<Readers, 'asFolded'>;
  statuses: Pick<Statuses, 'of'>;
  clock: Pick<Clock, 'now' | 'after'>;
  trouble: (error: unknown) => void;
}

/** Runners that are read at once. */
const PAGE = 1_000;
/** When the log is followed again after it could not be, and when a token is looked for again, milliseconds. */
const RETRY_MS = 1_000;

/** Follows the runners; while their read model can't be read, it is read again. */
export const followRegistry = (options: RegistryOptions): RunnerRegistry => {
  const { main, readers, statuses, clock, trouble } = options;
  const entries = new Map<string, Entry>();
  const byToken = new Map<string, string>();
  const callbacks: ((revoked: string | null) => void)[] = [];
  const stopping = new AbortController();
  const pause = (): Promise<void> => new Promise((resolve) => clock.after(RETRY_MS, resolve));

  const change = (id: string, changes: Partial<Entry>): void => {
    const entry = entries.get(id);
    if (entry) entries.set(id, { ...entry, ...changes });
  };
  const tell = (revoked: string | null): void => {
    for (const changed of callbacks) changed(revoked);
  };

  const apply = ({ data, type, metadata }: RunnerEvent & Pick<RecordedEvent, 'metadata'>): void => {
    const { runner_id: id } = data;
    switch (type) {
      case 'RunnerCreated':
        if (entries.has(id)) return;
        entries.set(id, {
          id,
          organization_id: metadata.organization_id ?? '',
          name: data.name,
          region: data.region,
          private: data.private,
          token_hash: data.token_hash,
          former_token: null,
          isRevoked: false,
          isReleased: false,
        });
        byToken.set(data.token_hash, id);
        tell(null);
        return;
      case 'RunnerRenamed':
        change(id, { name: data.name });
        return;
      case 'RunnerTokenRotated':
        change(id, {
          token_hash: data.token_hash,
          former_token: { hash: data.former.token_hash, until: data.former.until },
        });
        byToken.set(data.token_hash, id);
        return;
      case 'RunnerTokenConfirmed':
        change(id, { former_token: null });
        return;
      case 'RunnerRevoked':
        change(id, { isRevoked: true, former_token: null });
        tell(id);
        return;
      case 'RunnerReleased':
        change(id, { isReleased: true });
        tell(null);
        return;
      case 'RunnerConnected':
      case 'RunnerDisconnected':
        return;
      default:
        unreachable(data);
    }
  };

  const load = async (): Promise<bigint> => {
    const { position } = statuses.of(runners.name);
    const model = readers.asFolded(runners).runners;
    for (let last: string | null = null; ;) {
      const where = last === null ? {} : { id: { $gt: last } };
      const page = await model.find({ where, sort: { id: 1 }, limit: PAGE });
      for (const document of page) {
        const { id, organization_id, name, region, token_hash, former_token } = document;
        entries.set(id, {
          ...{ id, organization_id, name, region, token_hash, former_token },
          private: document.private,
          isRevoked: document.revoked_at !== null,
          isReleased: document.released,
        });
        byToken.set(token_hash, id);
        if (former_token) byToken.set(former_token.hash, id);
      }
      last = page.at(-1)?.id ?? null;
      if (page.length < PAGE) return position;
    }
  };

  const follow = async (from: bigint): Promise<void> => {
    let after = from;
    while (!stopping.signal.aborted) {
      try {
        const { signal } = stopping;
        for await (const events of main.subscribe({ after, categories: ['runner'], signal })) {
          for (const event of events) {
            apply(event as unknown as RunnerEvent & RecordedEvent);
            after = event.position;
          }
        }
      } catch (error) {
        trouble(error);
        await pause();
      }
    }
  };

  const loadSurely = async (): Promise<bigint> => {
    for (;;) {
      try {
        return await load();
      } catch (error) {
        if (stopping.signal.aborted) return 0n;
        trouble(error);
        await pause();
      }
    }
  };
  let isLoaded = false;
  const loaded = loadSurely().then((position) => {
    isLoaded = true;
    void follow(position);
  });

  const known = (hash: string): FoundRunner | null => {
    if (!isLoaded) throw new ReadModelUnavailable(runners.name);
    const entry = entries.get(byToken.get(hash) ?? '');
    if (!entry || entry.isRevoked) return null;
    const { id, organization_id, name, region, token_hash, former_token } = entry;
    const isFormer = former_token?.hash === hash && instantOf(clock.now()) < former_token.until;
    if (token_hash !== hash && !isFormer) return null;
    const runner = { id, organization_id, name, region, private: entry.private };
    return { runner, isNew: token_hash === hash && former_token !== null };
  };

  return {
    loaded,
    known,
    find: async (hash) => {
      if (!known(hash)) await pause();
      return known(hash);
    },
    remoteRegions: () => new Set([...entries.values()].filter((entry) => !entry.isReleased).map(({ region }) => region)),
    expectedRegions: () =>
      new Set([...entries.values()].filter((entry) => !entry.isRevoked).map(({ region }) => region)),
    onChange: (changed) => {
      callbacks.push(changed);
    },
    stop: () => {
      stopping.abort();
    },
  };
};
