import { isDeepStrictEqual } from 'node:util';
import { changedFields } from '../changes.ts';
import { Invalid } from '../errors.ts';
import { muteChange } from '../mute.ts';
import { QuotaSlotLost } from '../quota/quota.ts';
import { normalTags } from '../tags.ts';
import type { Instant } from '../time.ts';
import { withOneTarget } from './definition.ts';
import type { CheckEvent, CheckTypeName, SecretBinding } from './events.ts';
import {
  existing,
  NO_GROUP,
  requireAbsent,
  type Check,
  type CheckSettings,
  type LiveCheck,
  type GroupPlacement,
} from './state.ts';

export interface NewCheck extends Omit<CheckSettings, 'tags'> {
  type: CheckTypeName;
  /** in any order, duplicates allowed; default: none */
  tags?: readonly string[] | undefined;
}

/**
 * Creates a check.
 *
 * @param place an existing group and a position in it; default: no group
 * @param secrets the bindings of the check, whose secrets the command has claimed; default: none
 * @throws QuotaSlotLost another command closed the stream of this check, to take over its quota slot or secret; the
 * check can never be created
 */
export const createCheck = (
  check: Check,
  id: string,
  organizationId: string,
  input: NewCheck,
  place: GroupPlacement = NO_GROUP,
  secrets: SecretBinding[] = [],
): CheckEvent => {
  if (check.status === 'abandoned')
    throw new QuotaSlotLost('Another request took over the quota slot or secret of this check.');
  requireAbsent(check);
  const { type, tags = [], ...settings } = input;
  const definition = withOneTarget(type, { ...settings, tags: normalTags(tags) });
  return {
    type: 'CheckCreated',
    data: { check_id: id, organization_id: organizationId, type, ...definition, ...place, secrets },
  };
};

/** Returns the settings that the check would have after the changes. */
export const settingsAfter = (check: LiveCheck, changes: Partial<CheckSettings>): CheckSettings =>
  withOneTarget(check.type, {
    ...check.settings,
    ...changes,
    ...(changes.tags && { tags: normalTags(changes.tags) }),
  });

/**
 * Changes the settings that differ from the current settings. Returns no event if none differs.
 *
 * @param type the type in the request, which must equal the check's type
 * @throws NotFound
 * @throws Invalid
 */
export const updateCheck = (
  check: Check,
  changes: Partial<CheckSettings>,
  type: CheckTypeName | undefined,
): CheckEvent[] => {
  const live = existing(check);
  if (type !== undefined && type !== live.type) throw Invalid.field('type', "A check's type can't be changed.");
  const changed = changedFields(live.settings, settingsAfter(live, changes));
  return changed ? [{ type: 'CheckUpdated', data: { check_id: live.id, ...changed } }] : [];
};

/**
 * Moves a check into an existing group. If `group_id` is null, moves the check out of its group and ignores `position`.
 * Returns no event if nothing changes.
 *
 * @throws NotFound
 */
export const groupCheck = (check: Check, { group_id, position }: GroupPlacement): CheckEvent[] => {
  const { id, groupPlacement: previous } = existing(check);
  const place = group_id === null ? NO_GROUP : { group_id, position };
  return isDeepStrictEqual(place, previous)
    ? []
    : [{ type: 'CheckGrouped', data: { check_id: id, ...place, previous } }];
};

/**
 * Mutes the alerts of a check until an instant. Null or a past instant unmutes the alerts. Returns no event if nothing
 * changes.
 *
 * @throws NotFound
 */
export const muteCheck = (check: Check, until: Instant | null, now: Instant): CheckEvent[] => {
  const { id, mutedUntil } = existing(check);
  return muted(id, mutedUntil, until, now);
};

/** Mutes the alerts of a check that is being created. */
export const muteNewCheck = (id: string, until: Instant | null, now: Instant): CheckEvent[] =>
  muted(id, null, until, now);

const muted = (check_id: string, before: Instant | null, until: Instant | null, now: Instant): CheckEvent[] => {
  const change = muteChange(before, until, now);
  return change ? [{ type: 'CheckMuted', data: { check_id, ...change } }] : [];
};

/** Closes the stream of a check that does not exist, so that this check can never be created. */
export const abandonCheck = (check: Check, id: string): CheckEvent[] =>
  check.status === 'absent' ? [{ type: 'CheckCreationAbandoned', data: { check_id: id } }] : [];

export const deleteCheck = (check: Check, now: Instant): CheckEvent => ({
  type: 'CheckDeleted',
  data: { check_id: existing(check).id, deleted_at: now },
});
