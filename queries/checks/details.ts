import { isSilent, NO_RUNNER, regionsWithoutRunner, type ServedRegions } from '../../domain/check/missing-runners.ts';
import { mutedUntil } from '../../domain/mute.ts';
import type { Instant } from '../../domain/time.ts';
import { NO_GROUP } from '../../domain/check/state.ts';
import type { CheckGroupDocument } from '../../projections/check-groups/projection.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { findGroupsOf } from './check-groups.ts';
import { readUptime, type Uptime, type UptimePeriod } from '../check-results/uptime.ts';
import { createSuspensionReader } from '../organizations/credits.ts';
import type { Scope } from '../engine/scope.ts';
import { listBindings, type BoundSecret } from '../secrets.ts';
import { lastCheckedAt } from './activity.ts';
import { decryptParameters, type RevealOptions } from './secrets.ts';

/** A check with related objects and decrypted parameters. */
export interface CheckDetails extends CheckDocument {
  secrets: BoundSecret[];
  /** Group of the check. If the group was deleted, this field, `group_id` and `position` are null. */
  group: CheckGroupDocument | null;
  last_checked_at: Instant | null;
  /** Why scheduled runs of the check are suspended. Null if scheduled runs are not suspended. */
  suspended_reason: string | null;
  /** Null if the uptime was not requested. */
  uptime: Uptime | null;
}

export interface DetailOptions extends RevealOptions {
  /**
   * Returns the check types that live runners support, by region. This is not in a read model, so it is called at most
   * once, and only if a check has no recent results.
   */
  served: () => Promise<ServedRegions>;
  /** Period of the uptime to add. */
  uptime?: UptimePeriod | null;
}

/** Reads the related data of checks, if possible together. Returns a function that creates the details of one check. */
export const createDetailJoin = async (
  scope: Scope,
  found: readonly CheckDocument[],
  { reveal, served, uptime: time = null }: DetailOptions,
): Promise<(check: CheckDocument) => Promise<CheckDetails>> => {
  const lastChecked = await lastCheckedAt(
    scope,
    found.map(({ id }) => id),
  );
  const groups = await findGroupsOf(scope, found);
  const secretsOf = await listBindings(scope, found);
  const suspendedReason = createSuspensionReader(scope);
  let able: Promise<ServedRegions> | null = null;
  const withoutRunner = async (check: CheckDocument, heardAt: Instant | null): Promise<string | null> => {
    if (!isSilent(check, heardAt, scope.now)) return null;
    return regionsWithoutRunner(check, await (able ??= served())) ? NO_RUNNER : null;
  };
  return async (check) => {
    const last_checked_at = lastChecked.get(check.id) ?? null;
    const group = groups.get(check.group_id ?? '') ?? null;
    return {
      ...check,
      ...(group === null && NO_GROUP),
      group,
      muted_until: mutedUntil(check.muted_until, scope.now),
      secrets: secretsOf(check),
      parameters: await decryptParameters(scope, check, { reveal }),
      last_checked_at,
      suspended_reason: (await suspendedReason(check)) ?? (await withoutRunner(check, last_checked_at)),
      uptime: time && (await readUptime(scope, check, time)),
    };
  };
};
