import { MOST_IN_A_MINUTE } from '../../domain/delivery/digest.ts';
import { MINUTE_MS } from '../../domain/time.ts';

/** Receivers that are remembered; those that had no message for a minute are forgotten then. */
const MOST_REMEMBERED = 10_000;

/**
 * Tells which messages to a receiver are more than it is to get one by one.
 *
 * @param countSince how many messages were planned for a receiver since an instant (milliseconds since 1970), which is
 * asked once, for what another process has planned
 */
export const surplus = (clock: () => number, countSince: (receiverId: string, since: number) => Promise<number>) => {
  /** by receiver: when messages were planned for it that are not held, the last minute */
  const planned = new Map<string, number[]>();

  const recent = (times: readonly number[], now: number): number[] =>
    // A time in the future was given by a clock that was wrong.
    times.filter((time) => time > now - MINUTE_MS && time <= now);

  const forget = (now: number): void => {
    for (const [receiver, times] of planned) if (recent(times, now).length === 0) planned.delete(receiver);
  };

  /** Whether one more message is to be held; one that is not is counted. */
  return async (receiverId: string): Promise<boolean> => {
    let times = planned.get(receiverId);
    if (!times) {
      const now = clock();
      const count = await countSince(receiverId, now - MINUTE_MS);
      times = planned.get(receiverId) ?? Array.from({ length: Math.min(count, MOST_IN_A_MINUTE) }, () => now);
    }
    const now = clock();
    if (planned.size >= MOST_REMEMBERED) forget(now);
    const left = recent(times, now);
    const held = left.length >= MOST_IN_A_MINUTE;
    if (!held) left.push(now);
    planned.set(receiverId, left);
    return held;
  };
};
