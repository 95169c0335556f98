import { lastUseEntry, usedAt } from '../domain/organization/last-use.ts';
import { instantOf, type Instant } from '../domain/time.ts';
import type { Caller } from '../http/routes/caller.ts';
import type { Entries } from '../stores/coordination/port.ts';
import type { Identify } from './identify.ts';

/** When API keys were last used, to a minute. */
export interface LastUses {
  /** Notes that a caller has just used a key. It takes no time: what is noted is stored by and by. */
  note: (caller: Pick<Caller, 'keyId' | 'organizationId'>) => void;
  /** When each of these keys was last used; those that never were are absent. */
  of: (keyIds: readonly string[]) => Promise<ReadonlyMap<string, Instant>>;
  /** Stores what is noted, and ends. */
  stop: () => Promise<void>;
}

export interface LastUsesOptions {
  entries: Pick<Entries, 'putAll' | 'find'>;
  /** milliseconds since 1970 */
  clock: () => number;
  /** tells that uses could not be stored; they are tried again */
  trouble: (error: unknown) => void;
  /** milliseconds between two rounds of storing; tests use others than {@link ROUND_MS} */
  round?: number;
}

/** Uses are stored in rounds, many with one write, milliseconds. */
const ROUND_MS = 2_000;
/** A key's use is stored no more often; with a round, what is known of it is a minute old at most. Milliseconds. */
const PAUSE_MS = 58_000;
/** How many uses one write stores. */
const AT_ONCE = 500;

interface Use {
  organizationId: string;
  /** milliseconds since 1970 */
  at: number;
}

export const createLastUses = ({ entries, clock, trouble, round = ROUND_MS }: LastUsesOptions): LastUses => {
  /** uses that are not stored yet; there are no more than keys */
  const noted = new Map<string, Use>();
  /** when this process stored a use of a key, in that order; those of the last {@link PAUSE_MS} */
  const stored = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let storing: Promise<void> = Promise.resolve();

  const isDue = (keyId: string, now: number): boolean => {
    const before = stored.get(keyId);
    // A clock that was set back is no reason to store nothing until it has caught up.
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

  /** One round at a time: while the store does not answer, requests go on and uses wait. */
  const schedule = (): void => {
    timer ??= setTimeout(() => {
      storing = store(false)
        .catch(trouble)
        .then(() => {
          timer = null;
          if (noted.size > 0) schedule();
        });
    }, round).unref();
  };

  return {
    note: ({ keyId, organizationId }) => {
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
      await store(true).catch(trouble);
    },
  };
};

/** Notes the key of each caller who is recognized. */
export const notingUses =
  (identify: Identify, { note }: Pick<LastUses, 'note'>): Identify =>
  async (authorization, address) => {
    const caller = await identify(authorization, address);
    note(caller);
    return caller;
  };
