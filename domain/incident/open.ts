import type { EventOf } from '../event-types.ts';
import { existing, type Page } from '../page/state.ts';
import type { Instant } from '../time.ts';
import { backdatingErrors, type Backdating } from './backdating.ts';
import type { ComponentMap, HoldableUpdate, IncidentFields } from './fields.ts';
import { notificationDueAt } from './notification-delay.ts';
import {
  checkCount,
  checkNamedComponents,
  impactOf,
  throwFieldErrors,
  type IncidentFieldErrors,
  type ComponentLookup,
} from './affected-components.ts';
import { checkUnplanned, plannedSchedule, type ScheduleInput } from './schedule.ts';
import { requireAbsent, type Incident } from './state.ts';
import { INCIDENT_STATUSES, type IncidentKind, type IncidentStatus } from './statuses.ts';

/** The body of a request that creates an incident or, if it contains `scheduled_for`, a maintenance. */
export type NewIncident = Pick<IncidentFields, 'name'> &
  Partial<Pick<IncidentFields, 'impact' | 'metadata'>> &
  ScheduleInput &
  Backdating & {
    body: string;
    status: IncidentStatus;
    components: ComponentMap;
    notification_delay?: number;
  };

const kindOf = (input: ScheduleInput): IncidentKind => (input.scheduled_for == null ? 'regular' : 'maintenance');

const checkFirstStatus = (broken: IncidentFieldErrors, kind: IncidentKind, status: IncidentStatus): void => {
  if (kind === 'maintenance' && status !== 'scheduled') broken['status'] = ['Must be scheduled for a maintenance.'];
  if (kind === 'regular' && !(INCIDENT_STATUSES as readonly string[]).includes(status)) {
    broken['status'] = [`Must be one of: ${INCIDENT_STATUSES.join(', ')}. A maintenance requires scheduled_for.`];
  }
};

/**
 * Checks a new incident against the rules that a schema can't express. Ignores absent fields. Returns errors by field.
 */
export const newIncidentErrors = (
  page: ComponentLookup,
  input: ScheduleInput & Backdating & Partial<Pick<NewIncident, 'status' | 'components'>>,
  now: Instant,
): IncidentFieldErrors => {
  const kind = kindOf(input);
  const broken = backdatingErrors(input, now);
  if (input.status !== undefined) checkFirstStatus(broken, kind, input.status);
  checkNamedComponents(broken, 'components', page, input.components ?? {});
  checkCount(broken, 'components', Object.keys(input.components ?? {}));
  if (kind === 'regular') checkUnplanned(broken, input, 'Requires scheduled_for.');
  else plannedSchedule(broken, input, null);
  return broken;
};

/**
 * Opens an incident or schedules a maintenance, together with the first update (docs/reference/incidents.md#creation).
 *
 * @throws NotFound the page does not exist
 * @throws Invalid
 */
export const openIncident = (
  incident: Incident,
  page: Page,
  ids: { incident: string; update: string },
  input: NewIncident,
  now: Instant,
): EventOf<'IncidentOpened' | 'MaintenanceScheduled'> => {
  requireAbsent(incident);
  const active = existing(page);
  throwFieldErrors(newIncidentErrors(active, input, now));
  const kind = kindOf(input);
  const schedule = kind === 'maintenance' ? plannedSchedule({}, input, null) : null;
  const created_at = input.backdated_to ?? now;
  const update: HoldableUpdate = {
    id: ids.update,
    body: input.body,
    status: input.status,
    status_sent: true,
    components: input.components,
    deliver_notifications: input.deliver_notifications ?? true,
    ...notificationDueAt(input, now),
    created_at,
  };
  const data = {
    incident_id: ids.incident,
    page_id: active.id,
    created_at,
    incident: {
      name: input.name,
      impact: input.impact ?? impactOf(kind, input.components),
      metadata: input.metadata ?? null,
    },
    update,
  };
  return schedule ? { type: 'MaintenanceScheduled', data: { ...data, schedule } } : { type: 'IncidentOpened', data };
};
