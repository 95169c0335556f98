import { TooMany } from '../../domain/errors.ts';
import type { Entries } from '../../stores/coordination/port.ts';

/** A rate limit with a fixed window. The window starts with the first use. */
export interface AttemptLimit {
  /** Id of the counter. Must not contain personal or secret data. */
  id: string;
  most: number;
  /** Length of the window, in milliseconds. */
  within: number;
}

/** Maximum number of attempts to change a counter. If all of them conflict, the request is refused. */
const TRIES = 20;

interface Counted {
  count: number;
}

const counted = (value: string): number => (JSON.parse(value) as Counted).count;

/**
 * Counts one use, across all processes. Concurrent uses are all counted.
 *
 * @param now milliseconds since 1970
 * @param sentence error message if the limit is reached
 * @throws TooMany
 */
export const countAgainstLimit = async (
  entries: Pick<Entries, 'get' | 'put'>,
  { id, most, within }: AttemptLimit,
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

/** Undoes {@link countAgainstLimit} for a use that did not happen. */
export const uncountFromLimit = async (
  entries: Pick<Entries, 'get' | 'put'>,
  { id }: Pick<AttemptLimit, 'id'>,
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
