import type { EventOf } from '../event-types.ts';
import { changedFields } from '../changes.ts';
import { IllegalState } from '../errors.ts';
import { notFound } from '../existence.ts';
import { existing as existingPage, type ActivePage, type Page } from '../page/state.ts';
import type { Instant } from '../time.ts';
import { backdatingErrors, type Backdating } from './backdating.ts';
import type { IncidentEvent } from './events.ts';
import { componentsNamedBy, progressOf, timeAfter } from './facts.ts';
import type { ComponentMap, HoldableUpdate, IncidentFields, ScheduleFields } from './fields.ts';
import { notificationDueAt } from './notification-delay.ts';
import {
  checkCount,
  checkNamedComponents,
  throwFieldErrors,
  type IncidentFieldErrors,
  type ComponentLookup,
} from './affected-components.ts';
import { MAX_UPDATES } from './rules.ts';
import { checkUnplanned, plannedSchedule, scheduleOf, transitionsOf, type ScheduleInput } from './schedule.ts';
import { checkSize } from './size.ts';
import { existing, type ExistingIncident, type Incident } from './state.ts';
import { isResolved, statusesOf, boundaryStatusOf, type IncidentKind, type IncidentStatus } from './statuses.ts';

/** Requires that an incident exists and belongs to the page. @throws NotFound */
export const existingOn = (page: ActivePage, incident: Incident): ExistingIncident => {
  const there = existing(incident);
  if (there.page_id !== page.id) throw notFound('incident');
  return there;
};

/** The fields of an incident in a request. Absent fields stay unchanged. */
export type IncidentInput = Partial<IncidentFields> &
  ScheduleInput &
  UpdateInput & {
    /**
     * The `resolved_at` that the client read before. If this value equals the current `resolved_at`, the client sends
     * back the incident as it read it. The status in such a request is not a new resolution.
     */
    resolved_at?: Instant | null;
  };

/**
 * The content of an update. A change of an incident appends an update if the change contains `body`, `components` or
 * `deliver_notifications` (docs/reference/incidents.md#changes).
 */
export interface UpdateInput {
  status?: IncidentStatus;
  body?: string;
  components?: ComponentMap;
  deliver_notifications?: boolean;
  /** delay of the messages about the update, in seconds; default: no delay */
  notification_delay?: number;
}

/** An update in a request that appends it. */
export type NewUpdate = UpdateInput & Backdating & { status: IncidentStatus };

/** The data of an incident that validation needs. */
export interface IncidentContext {
  kind: IncidentKind;
  /** null for a regular incident */
  schedule: ScheduleFields | null;
  /** ids of all components of the incident */
  named: readonly string[];
}

const known = (incident: ExistingIncident): IncidentContext => ({
  kind: incident.kind,
  schedule: scheduleOf(incident),
  named: componentsNamedBy(incident.facts),
});

/**
 * Checks a change or an update of an incident against the rules that a schema can't express. Returns errors by field.
 */
export const changeErrors = (
  { kind, schedule, named }: IncidentContext,
  page: ComponentLookup,
  input: ScheduleInput & Pick<UpdateInput, 'status' | 'components'>,
): IncidentFieldErrors => {
  const broken: IncidentFieldErrors = {};
  if (schedule) plannedSchedule(broken, input, schedule);
  else checkUnplanned(broken, input, "Can't be set: an incident can't become a maintenance.");
  const statuses = statusesOf(kind);
  if (input.status !== undefined && !statuses.includes(input.status)) {
    broken['status'] = [`Must be one of: ${statuses.join(', ')}.`];
  }
  const sent = input.components ?? {};
  checkNamedComponents(broken, 'components', page, sent);
  checkCount(broken, 'components', [...named, ...Object.keys(sent)]);
  return broken;
};

/**
 * Changes an incident. The input sets fields of the incident, changes its status, or appends an update
 * (docs/reference/incidents.md#changes; docs/reference/incidents.md#resolution).
 *
 * @param updateId the id for a new update, if one is appended
 * @throws NotFound
 * @throws Invalid
 * @throws IllegalState the incident has the maximum number of updates
 */
export const changeIncident = (
  state: Incident,
  pageState: Page,
  updateId: string,
  input: IncidentInput,
  now: Instant,
): IncidentEvent[] => {
  const page = existingPage(pageState);
  const incident = existingOn(page, state);
  throwFieldErrors(changeErrors(known(incident), page, input));
  const schedule = incident.kind === 'maintenance' ? plannedSchedule({}, input, incident.schedule) : null;
  const changed = fieldsChanged(incident, schedule, input, now);
  const effective = withoutSentBack(incident, input);
  const moved = isUpdate(effective)
    ? appended(incident, schedule, page, updateId, effective, now)
    : statusChanged(incident, schedule, page, effective, now);
  if (moved) checkSize(incident, moved, largestField(effective));
  return [changed, moved].filter((event) => event !== null);
};

/**
 * Appends an update with a status (docs/reference/incidents.md#appending-updates).
 *
 * @throws the same errors as {@link changeIncident}
 */
export const appendUpdate = (
  state: Incident,
  pageState: Page,
  updateId: string,
  input: NewUpdate,
  now: Instant,
): EventOf<'IncidentUpdateAppended'> => {
  const page = existingPage(pageState);
  const incident = existingOn(page, state);
  throwFieldErrors({ ...changeErrors(known(incident), page, input), ...backdatingErrors(input, now) });
  const event = appended(incident, scheduleOf(incident), page, updateId, input, now);
  checkSize(incident, event, largestField(input));
  return event;
};

/**
 * Returns the field to name in the error about an update that is too large: `body` if the update has a text, otherwise
 * `components` or `status`.
 */
const largestField = ({ body, components }: UpdateInput): string =>
  body ? 'body' : components === undefined ? 'status' : 'components';

/** Deletes an incident. @throws NotFound */
export const deleteIncident = (state: Incident, pageState: Page, now: Instant): EventOf<'IncidentDeleted'> => {
  const incident = existingOn(existingPage(pageState), state);
  return {
    type: 'IncidentDeleted',
    data: { incident_id: incident.id, page_id: incident.page_id, deleted_at: now },
  };
};

/**
 * Removes the status from an input that sends a resolved incident back unchanged, so that the incident is not resolved
 * again.
 */
const withoutSentBack = (
  incident: ExistingIncident,
  { resolved_at, status, ...input }: IncidentInput,
): IncidentInput => {
  const current = progressOf(incident.facts);
  const known = current.resolved_at !== null && resolved_at === current.resolved_at;
  return known && status === current.status ? input : { ...input, ...(status !== undefined && { status }) };
};

/** Whether an input appends an update. An input with only a `status` changes the incident without an update. */
const isUpdate = ({ body, components, deliver_notifications }: UpdateInput): boolean =>
  body !== undefined || components !== undefined || deliver_notifications !== undefined;

type Changes = EventOf<'IncidentChanged'>['data']['changes'];

const fieldsChanged = (
  incident: ExistingIncident,
  schedule: ScheduleFields | null,
  input: IncidentInput,
  now: Instant,
): EventOf<'IncidentChanged'> | null => {
  const { name = incident.fields.name, impact = incident.fields.impact, metadata = incident.fields.metadata } = input;
  const wanted: Changes = { name, impact, metadata, ...schedule };
  const current: Changes = { ...incident.fields, ...scheduleOf(incident) };
  const changed = changedFields(current, wanted);
  return changed && { type: 'IncidentChanged', data: { ...idsOf(incident), changed_at: now, ...changed } };
};

/**
 * Changes the status without an update. Returns null if the status does not change. Exception: if an incident is
 * resolved (or a maintenance completed) and a request sends this status again, the incident is resolved again.
 */
const statusChanged = (
  incident: ExistingIncident,
  schedule: ScheduleFields | null,
  page: ActivePage,
  { status, notification_delay }: UpdateInput,
  now: Instant,
): EventOf<'IncidentStatusChanged'> | null => {
  if (status === undefined) return null;
  const current = progressOf(incident.facts).status;
  if (status === current && !isResolved(status)) return null;
  const isNotified = boundaryStatusOf(current, status) !== null;
  return {
    type: 'IncidentStatusChanged',
    data: {
      ...idsOf(incident),
      changed_at: timeAfter(incident.facts, now),
      changes: { status },
      previous: { status: current },
      ...transitionsOf(incident, schedule, page, { from: current, to: status, sent: {} }),
      automatic: false,
      deliver_notifications: isNotified,
      ...(isNotified && notificationDueAt({ notification_delay }, now)),
    },
  };
};

const appended = (
  incident: ExistingIncident,
  schedule: ScheduleFields | null,
  page: ActivePage,
  id: string,
  input: UpdateInput & Backdating,
  now: Instant,
): EventOf<'IncidentUpdateAppended'> => {
  const sent = input.components ?? {};
  if (incident.texts.size >= MAX_UPDATES) {
    throw new IllegalState(`An incident can have at most ${MAX_UPDATES} updates.`);
  }
  const current = progressOf(incident.facts).status;
  const status = input.status ?? current;
  const { components, ...switched } = transitionsOf(incident, schedule, page, { from: current, to: status, sent });
  const update: HoldableUpdate = {
    id,
    body: input.body ?? '',
    status,
    status_sent: input.status !== undefined,
    components,
    deliver_notifications: input.deliver_notifications ?? true,
    ...notificationDueAt(input, now),
    created_at: input.backdated_to ?? timeAfter(incident.facts, now),
  };
  return { type: 'IncidentUpdateAppended', data: { ...idsOf(incident), update, ...switched } };
};

const idsOf = (incident: ExistingIncident) => ({ incident_id: incident.id, page_id: incident.page_id });
