import type { ComponentFields } from './fields.ts';

/** The check of a component, or the tag of its checks. Both are null if the component has neither. */
export type ComponentSource = Pick<ComponentFields, 'check_id' | 'check_tag'>;

/**
 * Returns the check and the tag of a component after a change. If the input sets only the check, the tag becomes null.
 * If the input sets only the tag, the check becomes null.
 */
export const sourceAfter = (
  before: ComponentSource,
  { check_id, check_tag }: Partial<ComponentSource>,
): ComponentSource => ({
  check_id: check_id === undefined ? (typeof check_tag === 'string' ? null : before.check_id) : check_id,
  check_tag: check_tag === undefined ? (typeof check_id === 'string' ? null : before.check_tag) : check_tag,
});

/**
 * Validates the check of a component, which must belong to the organization. A group can't have a check; its components
 * can.
 *
 * @param hasCheck whether the organization has the check
 */
export const sourceErrors = (isGroup: boolean, checkId: string | null, hasCheck: boolean): Record<string, string[]> => {
  if (checkId === null) return {};
  if (isGroup) return { check_id: ["A group can't name a check; its components can."] };
  return hasCheck ? {} : { check_id: ['Must name a check.'] };
};

/** Validates the tag of a component. A group can't have a tag, and a component with a check can't have one either. */
export const tagErrors = (isGroup: boolean, { check_id, check_tag }: ComponentSource): Record<string, string[]> => {
  if (check_tag === null) return {};
  if (isGroup) return { check_tag: ["A group can't name a tag; its components can."] };
  return check_id === null
    ? {}
    : { check_tag: ['A component can have a check or a tag, not both. Set the other one to null.'] };
};

/** Validates `show_response_times`, which must be false for a group. */
export const responseTimesErrors = (isGroup: boolean, shown: boolean): Record<string, string[]> =>
  isGroup && shown ? { show_response_times: ["A group can't show response times; its components can."] } : {};
