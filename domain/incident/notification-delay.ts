import { after, SECOND_MS, type Instant } from '../time.ts';
import type { HoldableUpdate } from './fields.ts';

/**
 * Returns the time before which subscribers are not notified of an update. Until then, a user can remove the update
 * before anyone is notified.
 *
 * @param input the `notification_delay` of an input is in seconds; default: 0
 */
export const notificationDueAt = (
  { notification_delay = 0 }: { notification_delay?: number | undefined },
  now: Instant,
): Pick<HoldableUpdate, 'notify_from'> =>
  notification_delay === 0 ? {} : { notify_from: after(now, notification_delay * SECOND_MS) };
