import { noSuch } from '../lifecycle.ts';
import { millisecondsOf, type Instant } from '../time.ts';
import type { CheckEvent, SecretBinding } from './events.ts';
import type { Check, DeletedCheck } from './state.ts';

/** How long a deleted check can be restored, milliseconds. */
export const RESTORABLE_MS = 30_000;

/**
 * A deleted check that can still be restored. Nothing is given up for good after this time, so a clock that was set back
 * since the deletion only prolongs it.
 *
 * @throws NotFound there is none, or it was deleted too long ago
 */
export const restorable = (check: Check, now: Instant): DeletedCheck & { deletedAt: Instant } => {
  if (check.status !== 'deleted' || check.deletedAt === null) throw noSuch('check');
  const { deletedAt } = check;
  if (millisecondsOf(now) - millisecondsOf(deletedAt) > RESTORABLE_MS) throw noSuch('check');
  return { ...check, deletedAt };
};

/**
 * Undoes the deletion of a check.
 *
 * @param secrets its bindings, each by a new claim
 * @throws NotFound as {@link restorable}
 */
export const restoreCheck = (
  check: Check,
  organizationId: string,
  secrets: SecretBinding[],
  now: Instant,
): CheckEvent => {
  const { was, deletedAt } = restorable(check, now);
  const { id, settings, place, parked } = was;
  return {
    type: 'CheckRestored',
    data: {
      check_id: id,
      organization_id: organizationId,
      deleted_at: deletedAt,
      restored_at: now,
      active: settings.active,
      interval: settings.interval,
      parked,
      ...place,
      secrets,
    },
  };
};

/** Lets a restoration that was decided before and is not stored yet fail. Nothing where the check is not deleted. */
export const abandonRestoration = (check: Check, id: string): CheckEvent[] =>
  check.status === 'deleted' ? [{ type: 'CheckRestorationAbandoned', data: { check_id: id } }] : [];
