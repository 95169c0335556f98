import type { Instant } from '../time.ts';
import type { IncidentFieldErrors } from './affected-components.ts';

/** The fields of a request that publishes an incident or an update with an earlier time. */
export interface Backdating {
  /** time of the incident or the update; default: now */
  backdated_to?: Instant;
  deliver_notifications?: boolean;
  scheduled_remind_prior?: boolean;
}

/**
 * Checks the time of a backdated incident or update (docs/reference/incidents.md#backdating). Returns errors by field.
 */
export const backdatingErrors = (
  { backdated_to: at, deliver_notifications, scheduled_remind_prior }: Backdating,
  now: Instant,
): IncidentFieldErrors => {
  if (at === undefined) return {};
  return {
    ...(at > now && { backdated_to: ['Must not be in the future.'] }),
    // Reminders that were due since then would be sent at once.
    ...(scheduled_remind_prior === true && {
      scheduled_remind_prior: ['Must be false with backdated_to. Set it by a change afterwards.'],
    }),
    ...(deliver_notifications !== false && {
      deliver_notifications: ['Must be false with backdated_to, because subscribers are not notified of the past.'],
    }),
  };
};
