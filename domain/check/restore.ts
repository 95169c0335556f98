import { notFound } from '../existence.ts';
import { millisecondsOf, type Instant } from '../time.ts';
import type { CheckEvent, SecretBinding } from './events.ts';
import type { Check, DeletedCheck } from './state.ts';

/** How long a check can be restored after its deletion, in milliseconds. */
export const RESTORABLE_MS = 30_000;

/**
 * Requires a deleted check that can still be restored. If the clock was set back after the deletion, the time for
 * restoring is longer. This is harmless, because no data is removed when this time ends.
 *
 * @throws NotFound the check never existed, or was deleted too long ago
 */
export const restorable = (check: Check, now: Instant): DeletedCheck & { deletedAt: Instant } => {
  if (check.status !== 'deleted' || check.deletedAt === null) throw notFound('check');
  const { deletedAt } = check;
  if (millisecondsOf(now) - millisecondsOf(deletedAt) > RESTORABLE_MS) throw notFound('check');
  return { ...check, deletedAt };
};

/**
 * Undoes the deletion of a check.
 *
 * @param secrets the bindings of the check, each with a new claim
 * @throws NotFound in the same cases as {@link restorable}
 */
export const restoreCheck = (
  check: Check,
  organizationId: string,
  secrets: SecretBinding[],
  now: Instant,
): CheckEvent => {
  const { was, deletedAt } = restorable(check, now);
  const { id, settings, groupPlacement, parked } = was;
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
      ...groupPlacement,
      secrets,
    },
  };
};

/**
 * Returns an event that makes a concurrent restoration fail with a conflict. Returns no event if the check is not
 * deleted.
 */
export const abandonRestoration = (check: Check, id: string): CheckEvent[] =>
  check.status === 'deleted' ? [{ type: 'CheckRestorationAbandoned', data: { check_id: id } }] : [];
