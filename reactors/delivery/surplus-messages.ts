import { MAX_PER_MINUTE } from '../../domain/delivery/digest.ts';
import { MINUTE_MS } from '../../domain/time.ts';

/** Maximum number of receivers in memory; those without a message for a minute are forgotten beyond it. */
const MOST_REMEMBERED = 10_000;

/**
 * Counts messages per receiver, to decide which exceed the number that is sent individually.
 *
 * @param countSince how many messages were planned for a receiver since an instant (milliseconds since 1970); called
 * once per receiver, to include messages planned by other processes
 */
export const createSurplusCounter = (
  clock: () => number,
  countSince: (receiverId: string, since: number) => Promise<number>,
) => {
  /** by receiver: times of the last minute at which messages were planned to be sent individually */
  const planned = new Map<string, number[]>();

  const recent = (times: readonly number[], now: number): number[] =>
    // A time in the future came from a wrong clock.
    times.filter((time) => time > now - MINUTE_MS && time <= now);

  const forget = (now: number): void => {
    for (const [receiver, times] of planned) if (recent(times, now).length === 0) planned.delete(receiver);
  };

  /** Whether one more message must wait for a digest. Counts the message if not. */
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
