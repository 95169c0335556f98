import type { AlertRuleFields } from '../../../domain/alert-rule/fields.ts';
import type { Pause } from '../../../domain/concurrency/time-slices.ts';
import type { Instant } from '../../../domain/time.ts';
import type { CheckDocument } from '../../../projections/checks/documents.ts';
import { checks } from '../../../projections/checks/projection.ts';
import { findCheck, ownChecks } from '../../checks/find.ts';
import type { Scope } from '../../engine/scope.ts';
import { hadTagIn, readCheckEvents } from './check-timeline.ts';
import type { SimulationPeriod } from './parts.ts';
import type { ReadEvents } from './suppression-history.ts';

/** Maximum number of checks that were changed since the start of the period and whose earlier tags are read. */
const MOST_CHANGED = 2_500;

interface Finding {
  period: SimulationPeriod;
  readEvents: ReadEvents;
  /** maximum number of checks */
  limit: number;
  pause: Pause;
  signal: AbortSignal | undefined;
}

/**
 * Finds the checks that a rule is simulated on: its check, or those checks that had its tag at some time in the period.
 * Deleted checks are left out, because their results must not be shown.
 *
 * @returns `isWhole`: false if a limit was reached, so that checks may be missing
 * @throws NotFound if the check of the rule does not exist
 * @throws the reason of the signal
 */
export const findSimulatedChecks = async (
  scope: Pick<Scope, 'read' | 'organizationId'>,
  { check_id, tag }: Pick<AlertRuleFields, 'check_id' | 'tag'>,
  { period, readEvents, limit, pause, signal }: Finding,
): Promise<{ found: CheckDocument[]; isWhole: boolean }> => {
  if (check_id !== null) {
    const found = [await findCheck(scope, check_id)];
    return { found: found.slice(0, limit), isWhole: limit >= 1 };
  }
  if (tag === null) return { found: [], isWhole: true };
  const changed = await idsOfChanged(scope, period.from);
  // The tags of all other checks have been the same since the start of the period.
  const examined = new Set(changed.slice(0, MOST_CHANGED));
  const ids = new Set((await idsOfTagged(scope, tag, limit + 1)).filter((id) => !examined.has(id)));
  for (const id of examined) {
    if (ids.size > limit) break;
    signal?.throwIfAborted();
    const events = await readCheckEvents(id, scope.organizationId, readEvents);
    if (hadTagIn(period, { id, tag }, events)) ids.add(id);
    await pause();
  }
  const found = await ownChecks.some(scope, [...ids].sort().slice(0, limit));
  return { found, isWhole: ids.size <= limit && changed.length <= MOST_CHANGED };
};

/** Returns the ids of checks that have a tag now. */
const idsOfTagged = async (
  { read, organizationId }: Pick<Scope, 'read' | 'organizationId'>,
  tag: string,
  limit: number,
): Promise<string[]> => {
  const where = { organization_id: organizationId, tag };
  const tagged = await read(checks).check_tags.pick(['check_id'], { where, sort: { check_id: 1 }, limit });
  return tagged.map((one) => one.check_id);
};

/** Returns the ids of checks that were created or changed at or after a time, including one more than are examined. */
const idsOfChanged = async (
  { read, organizationId }: Pick<Scope, 'read' | 'organizationId'>,
  from: Instant,
): Promise<string[]> => {
  const where = { organization_id: organizationId, deleted_at: null, updated_at: { $gte: from } };
  const changed = await read(checks).checks.pick(['id'], { where, sort: { created_at: -1 }, limit: MOST_CHANGED + 1 });
  return changed.map(({ id }) => id);
};
