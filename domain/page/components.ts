import type { EventOf } from '../event-types.ts';
import { changedFields } from '../changes.ts';
import { Invalid } from '../errors.ts';
import { requireFound } from '../existence.ts';
import { markOf } from '../managed/managed-by.ts';
import { MAX_POSITION, positionAfter } from '../position.ts';
import { dayIn } from '../time-zone.ts';
import { isCalendarDay, laterOf, parseInstant, type Day, type Instant } from '../time.ts';
import { responseTimesErrors, tagErrors, sourceErrors, sourceAfter } from './component-checks.ts';
import type { ComponentStatus } from './component-status.ts';
import type { PageEvent } from './events.ts';
import type { ComponentFields } from './fields.ts';
import { lastHeldAt } from './held-statuses.ts';
import { existing, type ActivePage, type Page, type PageComponent } from './state.ts';

/**
 * The fields of a component or group in a request. Absent fields get a default value in a creation, and stay unchanged
 * in a change.
 */
export type ComponentInput = Partial<ComponentFields>;

/** The status of a component in the read model. */
export interface DisplayedStatus {
  status: ComponentStatus;
  /** when the component was last changed, according to the read model */
  updated_at: Instant;
}

type Changes = EventOf<'ComponentUpdated'>['data']['changes'];

/** Whether a request can contain a text as start date: a date, or an ISO 8601 timestamp. */
export const isStartDate = (text: string): boolean => parseInstant(text) !== null;

/**
 * Returns the day of a start date in a request. Converts a timestamp to the day in the page's time zone
 * (docs/reference/components.md#start-date).
 */
const startDateOf = (text: string, timeZone: string): Day | null => {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && isCalendarDay(text)) return text;
  const instant = parseInstant(text);
  const day = instant === null ? '' : dayIn(instant, timeZone);
  // In time zones east of Greenwich, the last hours of 9999 UTC are in the year 10000, which is not a valid date.
  return isCalendarDay(day) ? day : null;
};

const componentOf = (page: ActivePage, id: string): PageComponent => requireFound(page.components.get(id), 'component');

/**
 * Validates `group_id` of a component: null, or a group of the same page. The `group_id` of a group must be null.
 *
 * @param page the components and groups of the page, by id
 */
export const positionErrors = (
  page: { readonly components: ReadonlyMap<string, Pick<PageComponent, 'group'>> },
  isGroup: boolean,
  groupId: string | null,
): Record<string, string[]> => {
  if (groupId === null) return {};
  if (isGroup) return { group_id: ["A group can't be put into a group."] };
  return page.components.get(groupId)?.group ? {} : { group_id: ['Must name a group of this page.'] };
};

type Named = Pick<ComponentFields, 'group_id' | 'check_id' | 'check_tag' | 'show_response_times' | 'start_date'>;

/** @throws Invalid with all errors in the group, check, tag, response times and start date */
const checkNames = (
  page: ActivePage,
  isGroup: boolean,
  { group_id, check_id, check_tag, show_response_times, start_date }: Named,
  hasCheck: boolean,
): void => {
  const broken = {
    ...positionErrors(page, isGroup, group_id),
    ...sourceErrors(isGroup, check_id, hasCheck),
    ...tagErrors(isGroup, { check_id, check_tag }),
    ...responseTimesErrors(isGroup, show_response_times),
  };
  if (start_date !== null && startDateOf(start_date, page.fields.time_zone) === null) {
    broken['start_date'] = ['Must be a date or an ISO 8601 timestamp.'];
  }
  if (Object.keys(broken).length > 0) throw new Invalid({ json: broken });
};

/**
 * Returns the position after the last component of a group. If `groupId` is null, returns the position after the last
 * component without a group.
 */
const endOf = (page: ActivePage, groupId: string | null): number => {
  let last = 0;
  for (const { group_id, position } of page.components.values()) {
    if (group_id === groupId && position > last) last = position;
  }
  return positionAfter(last);
};

/** Defaults of a new component. The defaults of its position and start date depend on the page and the current time. */
export const COMPONENT_DEFAULTS = {
  description: null,
  group: false,
  group_id: null,
  showcase: true,
  only_show_if_degraded: false,
  check_id: null,
  check_tag: null,
  show_response_times: false,
  status: 'operational',
} as const satisfies Partial<ComponentFields>;

/**
 * Adds a component, or a group if `group` is true.
 *
 * @param hasCheck whether the check in the request exists
 * @throws NotFound, Invalid
 */
export const addComponent = (
  state: Page,
  id: string,
  input: ComponentInput & { name: string },
  now: Instant,
  hasCheck = true,
): EventOf<'ComponentAdded'> => {
  const page = existing(state);
  const group = input.group ?? COMPONENT_DEFAULTS.group;
  const groupId = input.group_id ?? COMPONENT_DEFAULTS.group_id;
  const timeZone = page.fields.time_zone;
  const startDate = input.start_date === undefined ? dayIn(now, timeZone) : input.start_date;
  const watch = sourceAfter(COMPONENT_DEFAULTS, input);
  const show_response_times = input.show_response_times ?? COMPONENT_DEFAULTS.show_response_times;
  const named = { group_id: groupId, ...watch, show_response_times, start_date: startDate };
  checkNames(page, group, named, hasCheck);
  const component: ComponentFields = {
    name: input.name,
    description: input.description ?? COMPONENT_DEFAULTS.description,
    group,
    group_id: groupId,
    position: input.position ?? endOf(page, groupId),
    showcase: input.showcase ?? COMPONENT_DEFAULTS.showcase,
    only_show_if_degraded: input.only_show_if_degraded ?? COMPONENT_DEFAULTS.only_show_if_degraded,
    start_date: startDate === null ? null : startDateOf(startDate, timeZone),
    ...watch,
    show_response_times,
    // A group's status is derived from its components, so a status in the request is ignored.
    status: group ? COMPONENT_DEFAULTS.status : (input.status ?? COMPONENT_DEFAULTS.status),
    ...markOf(input),
  };
  return { type: 'ComponentAdded', data: { page_id: page.id, component_id: id, created_at: now, component } };
};

/**
 * Changes a component or group. A status in the input is compared with `shown`, because incidents set statuses that
 * this aggregate does not know. If the read model has not yet folded the newest manual status, the new status is
 * recorded even if it equals `shown`.
 *
 * @param hasCheck whether the check in the request exists
 * @throws NotFound, Invalid
 */
export const updateComponent = (
  state: Page,
  id: string,
  input: ComponentInput,
  shown: DisplayedStatus | null,
  now: Instant,
  hasCheck = true,
): PageEvent[] => {
  const page = existing(state);
  const component = componentOf(page, id);
  const wanted = wantedFields(page, component, input, hasCheck);
  const { changes, previous }: { changes: Changes; previous: Changes } = changedFields(component, wanted) ?? {
    changes: {},
    previous: {},
  };
  if (input.status !== undefined && !component.group) {
    const upToDate = shown !== null && shown.updated_at >= component.status_set_at;
    if (!upToDate || shown.status !== input.status) {
      changes.status = input.status;
      previous.status = upToDate ? shown.status : component.status;
    }
  }
  if (Object.keys(changes).length === 0) return [];
  // A manual status ends all holds, so it must not be earlier than any hold, even if the clock was set back.
  const changed_at = changes.status === undefined ? now : laterOf(now, lastHeldAt(component));
  return [{ type: 'ComponentUpdated', data: { page_id: page.id, component_id: id, changed_at, changes, previous } }];
};

/** Returns the fields of a component after a change, without the status. @throws Invalid */
const wantedFields = (
  page: ActivePage,
  component: PageComponent,
  input: ComponentInput,
  hasCheck: boolean,
): Omit<ComponentFields, 'group' | 'status'> => {
  const groupId = input.group_id === undefined ? component.group_id : input.group_id;
  const moved = groupId !== component.group_id;
  const startDate = input.start_date === undefined ? component.start_date : input.start_date;
  const watch = sourceAfter(component, input);
  const show_response_times = input.show_response_times ?? component.show_response_times;
  const named = { group_id: groupId, ...watch, show_response_times, start_date: startDate };
  checkNames(page, component.group, named, hasCheck);
  return {
    name: input.name ?? component.name,
    description: input.description === undefined ? component.description : input.description,
    group_id: groupId,
    position: input.position ?? (moved ? endOf(page, groupId) : component.position),
    showcase: input.showcase ?? component.showcase,
    only_show_if_degraded: input.only_show_if_degraded ?? component.only_show_if_degraded,
    start_date: startDate === null ? null : startDateOf(startDate, page.fields.time_zone),
    ...watch,
    show_response_times,
    ...markOf(input),
  };
};

/**
 * Removes a component or a group. Before a group is removed, its components are moved to the end of the page.
 *
 * @throws NotFound
 */
export const removeComponent = (state: Page, id: string, now: Instant): PageEvent[] => {
  const page = existing(state);
  const component = componentOf(page, id);
  const end = endOf(page, null);
  const members = [...page.components.values()].filter(({ group_id }) => group_id === id).sort(byPosition);
  const left = members.map((member, index): PageEvent => ({
    type: 'ComponentUpdated',
    data: {
      page_id: page.id,
      component_id: member.id,
      changed_at: now,
      changes: { group_id: null, position: Math.min(end + index, MAX_POSITION) },
      previous: { group_id: id, position: member.position },
    },
  }));
  return [
    ...left,
    { type: 'ComponentRemoved', data: { page_id: page.id, component_id: component.id, removed_at: now } },
  ];
};

const byPosition = (a: PageComponent, b: PageComponent): number =>
  a.position - b.position || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || (a.id < b.id ? -1 : 1);
