import type { Fields } from '../../../domain/fields.ts';
import { MAX_METADATA_BYTES } from '../../../domain/incident/rules.ts';
import { isResolved, type IncidentStatus } from '../../../domain/incident/statuses.ts';
import type { Instant } from '../../../domain/time.ts';
import type { ImportedIncident, ImportedUpdate } from '../imported.ts';
import type { TargetPage } from './page.ts';

/** Field of the metadata that identifies an imported incident. */
export const SOURCE_FIELD = 'imported_from';

/** Returns the metadata of an imported incident. Metadata that is too large is reduced to what identifies the incident. */
export const metadataOf = ({ metadata, source_id }: ImportedIncident): Fields => {
  const source = { [SOURCE_FIELD]: source_id };
  const all = { ...metadata, ...source };
  return Buffer.byteLength(JSON.stringify(all)) <= MAX_METADATA_BYTES ? all : source;
};

/** Returns the statuses of components by id. */
export const componentMapOf = ({ components }: ImportedUpdate, page: TargetPage): Record<string, string> =>
  Object.fromEntries(components.map(({ component, status }) => [page.componentOf(component).id, status]));

/** Whether a status ends an incident or a maintenance. */
export const isOver = (status: string | undefined): boolean =>
  status !== undefined && isResolved(status as IncidentStatus);

/** Returns the field for the original time of an incident or update. A time in the future becomes the present one. */
export const backdatedTo = (at: Instant, now: Instant): { backdated_to?: Instant } =>
  at < now ? { backdated_to: at } : {};

/** Switches of a maintenance that make the service act by itself. */
export const MAINTENANCE_SWITCHES = [
  'scheduled_remind_prior',
  'scheduled_auto_in_progress',
  'scheduled_auto_completed',
  'auto_transition_to_maintenance_state',
  'auto_transition_to_operational_state',
  'auto_transition_deliver_notifications_at_start',
  'auto_transition_deliver_notifications_at_end',
] as const;

/** Returns the planned times of a maintenance. */
export const timesOf = ({ schedule = {} }: ImportedIncident): Fields => {
  const { scheduled_for, scheduled_until } = schedule;
  return { scheduled_for, scheduled_until };
};

/**
 * Returns the switches and reminders of a maintenance that is still ahead or in progress. What was due before now must
 * not notify anybody, even if the exported file is old.
 */
export const switchesOf = ({ schedule = {} }: ImportedIncident, now: Instant): Fields => {
  const isAhead = (field: string): boolean => String(schedule[field]) > now;
  const switches = Object.fromEntries(MAINTENANCE_SWITCHES.map((one) => [one, schedule[one] === true]));
  return {
    ...switches,
    reminder_intervals: schedule['reminder_intervals'] ?? null,
    auto_transition_deliver_notifications_at_start:
      switches['auto_transition_deliver_notifications_at_start'] === true && isAhead('scheduled_for'),
    auto_transition_deliver_notifications_at_end:
      switches['auto_transition_deliver_notifications_at_end'] === true && isAhead('scheduled_until'),
    scheduled_remind_prior: switches['scheduled_remind_prior'] === true && isAhead('scheduled_for'),
  };
};
