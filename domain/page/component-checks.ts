import type { ComponentFields } from './fields.ts';

/** What a component names: a check, all checks with a tag, or neither. */
export type Watch = Pick<ComponentFields, 'check_id' | 'check_tag'>;

/** The check or the tag that a component names after a change: one that is sent alone takes the place of the other. */
export const watchAfter = (before: Watch, { check_id, check_tag }: Partial<Watch>): Watch => ({
  check_id: check_id === undefined ? (typeof check_tag === 'string' ? null : before.check_id) : check_id,
  check_tag: check_tag === undefined ? (typeof check_id === 'string' ? null : before.check_tag) : check_tag,
});

/**
 * What is wrong with naming a check: it has to be one of the organization's, and a group is watched by those of its
 * components.
 *
 * @param hasCheck whether the organization has the check
 */
export const brokenWatch = (isGroup: boolean, checkId: string | null, hasCheck: boolean): Record<string, string[]> => {
  if (checkId === null) return {};
  if (isGroup) return { check_id: ["A group can't name a check; its components can."] };
  return hasCheck ? {} : { check_id: ['Must name a check.'] };
};

/** What is wrong with naming a tag of checks: a group names none, nor does a component that names a check. */
export const brokenTag = (isGroup: boolean, { check_id, check_tag }: Watch): Record<string, string[]> => {
  if (check_tag === null) return {};
  if (isGroup) return { check_tag: ["A group can't name a tag; its components can."] };
  return check_id === null
    ? {}
    : { check_tag: ['A component names a check or a tag, not both: set the other one to null.'] };
};

/** What is wrong with showing response times: a group has none. */
export const brokenResponseTimes = (isGroup: boolean, shown: boolean): Record<string, string[]> =>
  isGroup && shown ? { show_response_times: ["A group can't show response times; its components can."] } : {};
