import { interval } from 'rxjs';
import type { TakeEffect } from '../../api/key-source.ts';
import { createMutex } from '../../domain/mutex.ts';
import type { Entries } from '../../stores/coordination/entries.ts';

/** How often an API process looks for what others announce, milliseconds. */
const LOOK_MS = 500;
/** A look that began longer ago says nothing any more, milliseconds: with it, two seconds are kept. */
const FRESH_MS = 1_500;
/** How long an announcement stays, milliseconds: longer than any process takes that can still be reached. */
const STAYS_MS = 600_000;

/** The one announcement: the highest position of the log `main` that must be in effect. */
const KIND = 'given_up';
const ID = 'main';

/** What was taken from somebody by one process of a cluster, as all processes hear of it. */
export interface GivenUp {
  /** Tells all processes that what the log `main` holds up to a position must be in effect. */
  announce: (position: bigint) => Promise<void>;
  /** Whether this process has just looked; what it remembers may be out of date otherwise. */
  isTold: () => boolean;
  stop: () => Promise<void>;
}

export interface GivenUpOptions {
  entries: Pick<Entries, 'get' | 'put'>;
  takeEffect: TakeEffect;
  /** the time that the processes share, milliseconds since 1970 */
  now: () => number;
  /** milliseconds; only differences count */
  monotonic?: () => number;
  /** milliseconds between looks */
  look?: number;
}

/** Tells everybody, without taking back what somebody else has told: of two announcements the higher one stays. */
const tell = async (entries: GivenUpOptions['entries'], position: bigint, now: number): Promise<void> => {
  for (;;) {
    const standing = await entries.get(KIND, ID, now);
    if (standing && BigInt(standing.value) >= position) return;
    const entry = { id: ID, value: position.toString(), owner: null, expires_at: now + STAYS_MS };
    if ((await entries.put(KIND, entry, standing?.version ?? null, now)) !== null) return;
  }
};

/**
 * Follows what the processes of a cluster announce to each other, by looks that are cheap and frequent: neither a late
 * read model nor a slow store leaves anybody with rights that were taken. While looks do not come back in time, the
 * read model is not believed (api/key-source.ts).
 *
 * @returns after the first look
 */
export const followGivenUp = async (options: GivenUpOptions): Promise<GivenUp> => {
  const { entries, takeEffect, now, monotonic = () => performance.now(), look = LOOK_MS } = options;
  /** when the last look began that came back */
  let looked = -Infinity;
  /** what could not be announced yet */
  let untold: bigint | null = null;

  const announce = async (position: bigint): Promise<void> => {
    untold = untold === null || position > untold ? position : untold;
    await tell(entries, position, now());
    if (untold === position) untold = null;
  };
  const see = async (): Promise<void> => {
    const began = monotonic();
    const announced = await entries.get(KIND, ID, now());
    if (announced) takeEffect(BigInt(announced.value));
    looked = began;
    if (untold !== null) await announce(untold);
  };

  await see();
  const inTurn = createMutex();
  let isLooking = false;
  const looks = interval(look).subscribe(() => {
    if (isLooking) return;
    isLooking = true;
    // The next look makes up for one that fails; until it comes back, this process is not told.
    void inTurn(see)
      .catch(() => undefined)
      .finally(() => (isLooking = false));
  });
  return {
    announce,
    isTold: () => monotonic() - looked <= FRESH_MS,
    stop: async () => {
      looks.unsubscribe();
      await inTurn(async () => undefined);
    },
  };
};
