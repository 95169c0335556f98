import { after, type Instant } from '../time.ts';
import type { HoldableUpdate } from './fields.ts';

/**
 * From when subscribers may be notified of an update. Until then it can be removed, and nobody has heard of it.
 *
 * @param input `notification_delay` in seconds
 */
export const notifiedFrom = (
  { notification_delay = 0 }: { notification_delay?: number | undefined },
  now: Instant,
): Pick<HoldableUpdate, 'notify_from'> =>
  notification_delay === 0 ? {} : { notify_from: after(now, notification_delay * 1_000) };
