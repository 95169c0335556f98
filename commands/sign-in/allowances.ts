import { TooMany } from '../../domain/errors.ts';
import type { Entries } from '../../stores/coordination/port.ts';

/** How often something may happen within a time. The count begins with the first, and ends when the time is over. */
export interface Allowance {
  /** names what is counted; nothing personal or secret */
  id: string;
  most: number;
  /** milliseconds */
  within: number;
}

/** Others changed the same count so often, one after another: nobody is let through then. */
const TRIES = 20;

interface Counted {
  count: number;
}

const counted = (value: string): number => (JSON.parse(value) as Counted).count;

/**
 * Takes one of what is allowed, in all processes together. Of several at once none is counted twice.
 *
 * @param now milliseconds since 1970
 * @param sentence for who has had all
 * @throws TooMany
 */
export const take = async (
  entries: Pick<Entries, 'get' | 'put'>,
  { id, most, within }: Allowance,
  now: number,
  sentence: string,
): Promise<void> => {
  for (let tries = 0; tries < TRIES; tries++) {
    const known = await entries.get('allowance', id, now);
    const count = known ? counted(known.value) : 0;
    const expires_at = known?.expires_at ?? now + within;
    if (count >= most) throw new TooMany(sentence, Math.max(1, Math.ceil((expires_at - now) / 1_000)));
    const value = JSON.stringify({ count: count + 1 } satisfies Counted);
    const put = await entries.put('allowance', { id, value, owner: null, expires_at }, known?.version ?? null, now);
    if (put !== null) return;
  }
  throw new TooMany(sentence, 1);
};

/** Gives back what was taken and was not needed. */
export const giveBack = async (
  entries: Pick<Entries, 'get' | 'put'>,
  { id }: Pick<Allowance, 'id'>,
  now: number,
): Promise<void> => {
  for (let tries = 0; tries < TRIES; tries++) {
    const known = await entries.get('allowance', id, now);
    if (!known) return;
    const value = JSON.stringify({ count: Math.max(0, counted(known.value) - 1) } satisfies Counted);
    const { expires_at, version } = known;
    if ((await entries.put('allowance', { id, value, owner: null, expires_at }, version, now)) !== null) return;
  }
};
