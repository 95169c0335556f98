import { MAX_PER_MINUTE } from '../../domain/delivery/digest.ts';
import { MINUTE_MS } from '../../domain/time.ts';

/** With more receivers in memory than this, receivers without a message in the last minute are forgotten. */
const MOST_REMEMBERED = 10_000;

/**
 * Creates a function that counts messages per receiver, to decide which messages exceed the number that is sent
 * individually.
 *
 * @param countSince returns how many messages to a receiver were planned since a time, in milliseconds since 1970.
 * Called for a receiver that is not in memory, to include messages planned by other processes
 */
export const createSurplusCounter = (
  clock: () => number,
  countSince: (receiverId: string, since: number) => Promise<number>,
) => {
  /** by receiver: the times within the last minute at which individual messages were planned */
  const planned = new Map<string, number[]>();

  const recent = (times: readonly number[], now: number): number[] =>
    // Ignore times in the future, which come from a clock that was ahead.
    times.filter((time) => time > now - MINUTE_MS && time <= now);

  const forget = (now: number): void => {
    for (const [receiver, times] of planned) if (recent(times, now).length === 0) planned.delete(receiver);
  };

  /**
   * Returns whether one more message to a receiver must wait for a digest. Counts the message if it does not have to
   * wait.
   */
  return async (receiverId: string): Promise<boolean> => {
    let times = planned.get(receiverId);
    if (!times) {
      const now = clock();
      const count = await countSince(receiverId, now - MINUTE_MS);
      times = planned.get(receiverId) ?? Array.from({ length: Math.min(count, MAX_PER_MINUTE) }, () => now);
    }
    const now = clock();
    if (planned.size >= MOST_REMEMBERED) forget(now);
    const left = recent(times, now);
    const isHeld = left.length >= MAX_PER_MINUTE;
    if (!isHeld) left.push(now);
    planned.set(receiverId, left);
    return isHeld;
  };
};
