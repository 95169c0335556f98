import { after, SECOND_MS, type Instant } from '../time.ts';
import type { HoldableUpdate } from './fields.ts';

/**
 * When subscribers may be notified of an update. Before that, it can be removed without anyone having been notified.
 *
 * @param input `notification_delay` in seconds
 */
export const notificationDueAt = (
  { notification_delay = 0 }: { notification_delay?: number | undefined },
  now: Instant,
): Pick<HoldableUpdate, 'notify_from'> =>
  notification_delay === 0 ? {} : { notify_from: after(now, notification_delay * SECOND_MS) };
