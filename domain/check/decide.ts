import { isDeepStrictEqual } from 'node:util';
import { Conflict, Invalid, NotFound } from '../errors.ts';
import { withOneTarget } from './definition.ts';
import type { CheckEvent, CheckTypeName } from './events.ts';
import { isLive, type Check, type CheckSettings, type LiveCheck } from './state.ts';

export interface NewCheck extends CheckSettings {
  type: CheckTypeName;
}

/**
 * @returns the live check
 * @throws NotFound it never was, or was deleted
 */
export const requireLive = (check: Check): LiveCheck => {
  if (!isLive(check)) throw new NotFound('There is no such check.');
  return check;
};

export const createCheck = (check: Check, id: string, organizationId: string, input: NewCheck): CheckEvent => {
  if (check.status !== 'absent') throw new Conflict('There is a check with this id already.');
  const { type, ...settings } = input;
  return {
    type: 'CheckCreated',
    data: { check_id: id, organization_id: organizationId, type, ...withOneTarget(type, settings) },
  };
};

/** The settings after a change, before it is decided. */
export const settingsAfter = (check: LiveCheck, changes: Partial<CheckSettings>): CheckSettings =>
  withOneTarget(check.type, { ...check.settings, ...changes });

/**
 * Changes what differs; a change that changes nothing is no event.
 *
 * @param type as the request names it; a check's type can't change
 * @throws NotFound
 * @throws Invalid
 */
export const updateCheck = (
  check: Check,
  changes: Partial<CheckSettings>,
  type: CheckTypeName | undefined,
): CheckEvent[] => {
  const live = requireLive(check);
  if (type !== undefined && type !== live.type) throw Invalid.field('type', "A check's type can't be changed.");
  const after = settingsAfter(live, changes);
  const changed = (Object.keys(after) as (keyof CheckSettings)[]).filter(
    (field) => !isDeepStrictEqual(after[field], live.settings[field]),
  );
  if (changed.length === 0) return [];
  const pick = (settings: CheckSettings): Partial<CheckSettings> =>
    Object.fromEntries(changed.map((field) => [field, settings[field]]));
  return [{ type: 'CheckUpdated', data: { check_id: live.id, changes: pick(after), previous: pick(live.settings) } }];
};

export const deleteCheck = (check: Check): CheckEvent => ({
  type: 'CheckDeleted',
  data: { check_id: requireLive(check).id },
});
