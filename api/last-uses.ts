import { lastUseEntry, usedAt } from '../domain/organization/last-use.ts';
import { instantOf, type Instant } from '../domain/time.ts';
import type { Caller } from '../http/routes/caller.ts';
import type { Entries } from '../stores/coordination/port.ts';
import type { IdentifyCaller } from './authentication.ts';

/** The time at which each API key was last used, accurate to a minute. */
export interface LastUses {
  /** Records the use of a key. Returns immediately: recorded uses are stored in batches later. */
  record: (caller: Pick<Caller, 'keyId' | 'organizationId'>) => void;
  /** Returns the time of the last use by key id. Unused keys are absent. */
  of: (keyIds: readonly string[]) => Promise<ReadonlyMap<string, Instant>>;
  /** Stores the recorded uses and stops. */
  stop: () => Promise<void>;
}

export interface LastUsesOptions {
  entries: Pick<Entries, 'putAll' | 'find'>;
  /** Returns milliseconds since 1970. */
  clock: () => number;
  /** Called if uses could not be stored. The next batch retries them. */
  onFailure: (error: unknown) => void;
  /** milliseconds between two batches; default: {@link ROUND_MS} */
  batchInterval?: number;
}

/** Time between two batches, in milliseconds. */
const ROUND_MS = 2_000;
/**
 * Minimum time between two stored uses of a key, in milliseconds. {@link PAUSE_MS} and {@link ROUND_MS} add up to a
 * minute.
 */
const PAUSE_MS = 58_000;
/** Maximum number of uses in one write. */
const AT_ONCE = 500;

interface Use {
  organizationId: string;
  /** milliseconds since 1970 */
  at: number;
}

export const createLastUses = ({ entries, clock, onFailure, batchInterval = ROUND_MS }: LastUsesOptions): LastUses => {
  /** Uses that are not stored yet, by key id. */
  const noted = new Map<string, Use>();
  /** The time at which this process stored a use of each key, oldest first. Entries expire after {@link PAUSE_MS}. */
  const stored = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let storing: Promise<void> = Promise.resolve();

  const isDue = (keyId: string, now: number): boolean => {
    const before = stored.get(keyId);
    // If the clock was set back, store the use now. Otherwise the pause would last until the clock has caught up.
    return before === undefined || now < before || now - before >= PAUSE_MS;
  };

  const forgetOld = (now: number): void => {
    for (const [keyId, at] of stored) {
      if (now >= at && now - at < PAUSE_MS) break;
      stored.delete(keyId);
    }
  };

  const store = async (all: boolean): Promise<void> => {
    const now = clock();
    forgetOld(now);
    const due = [...noted].filter(([keyId]) => all || isDue(keyId, now));
    for (let from = 0; from < due.length; from += AT_ONCE) {
      const batch = due.slice(from, from + AT_ONCE);
      await entries.putAll(
        'last_use',
        batch.map(([keyId, { organizationId, at }]) => lastUseEntry(keyId, organizationId, at)),
      );
      for (const [keyId, use] of batch) {
        stored.delete(keyId);
        stored.set(keyId, now);
        if (noted.get(keyId) === use) noted.delete(keyId);
      }
    }
  };

  /** Schedules the next batch. Only one batch is stored at a time. While the store is unavailable, uses accumulate. */
  const schedule = (): void => {
    timer ??= setTimeout(() => {
      storing = store(false)
        .catch(onFailure)
        .then(() => {
          timer = null;
          if (noted.size > 0) schedule();
        });
    }, batchInterval).unref();
  };

  return {
    record: ({ keyId, organizationId }) => {
      if (keyId === null) return;
      noted.set(keyId, { organizationId, at: clock() });
      schedule();
    },

    of: async (keyIds) => {
      const known = await entries.find('last_use', keyIds, clock());
      const uses = new Map(known.map((entry) => [entry.id, usedAt(entry)]));
      for (const keyId of keyIds) {
        const use = noted.get(keyId);
        if (use) uses.set(keyId, instantOf(use.at));
      }
      return uses;
    },

    stop: async () => {
      if (timer) clearTimeout(timer);
      await storing;
      if (timer) clearTimeout(timer);
      await store(true).catch(onFailure);
    },
  };
};

/** Records the key of each authenticated caller. */
export const recordingUses =
  (identify: IdentifyCaller, { record }: Pick<LastUses, 'record'>): IdentifyCaller =>
  async (authorization, address) => {
    const caller = await identify(authorization, address);
    record(caller);
    return caller;
  };
