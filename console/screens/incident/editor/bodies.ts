import type { RequestOf } from '../../../api/request.ts';
import type { Draft, Kind } from './draft.ts';

export type NewIncidentBody = RequestOf<'POST /v1/pages/{page_id}/incidents'>['body'];
export type NewUpdateBody = RequestOf<'POST /v1/pages/{page_id}/incidents/{incident_id}/incident_updates'>['body'];

/**
 * Time for which a publication can be undone, in seconds. The messages about the publication are delayed for the same
 * time.
 */
export const UNDO_SECONDS = 10;

/** Returns the schedule of a draft for the API. */
export const scheduleBody = (draft: Draft) => ({
  scheduled_for: draft.scheduled_for,
  scheduled_until: draft.scheduled_until,
  scheduled_remind_prior: draft.scheduled_remind_prior,
  reminder_intervals: draft.reminder_intervals.trim() === '' ? null : draft.reminder_intervals.trim(),
  scheduled_auto_in_progress: draft.scheduled_auto_in_progress,
  scheduled_auto_completed: draft.scheduled_auto_completed,
  auto_transition_to_maintenance_state: draft.auto_transition_to_maintenance_state,
  auto_transition_to_operational_state: draft.auto_transition_to_operational_state,
  auto_transition_deliver_notifications_at_start: draft.auto_transition_deliver_notifications_at_start,
  auto_transition_deliver_notifications_at_end: draft.auto_transition_deliver_notifications_at_end,
});

/** Returns the request body that opens an incident or schedules a maintenance. */
export const newIncidentBody = (draft: Draft, kind: Kind): NewIncidentBody => ({
  name: draft.name.trim(),
  body: draft.body,
  status: draft.status,
  components: draft.components,
  deliver_notifications: draft.deliver_notifications,
  notification_delay: UNDO_SECONDS,
  ...(draft.impact !== '' && { impact: draft.impact }),
  ...(kind === 'maintenance' && scheduleBody(draft)),
});

/** Returns the request body that adds an update. */
export const newUpdateBody = (draft: Draft): NewUpdateBody => ({
  status: draft.status,
  deliver_notifications: draft.deliver_notifications,
  notification_delay: UNDO_SECONDS,
  ...(draft.body.trim() !== '' && { body: draft.body }),
  ...(Object.keys(draft.components).length > 0 && { components: draft.components }),
});

/** Returns whether the draft is complete enough for a preview. */
export const canBePreviewed = (draft: Draft, kind: Kind, isNew: boolean): boolean => {
  if (!isNew) return draft.body.trim() !== '' || Object.keys(draft.components).length > 0;
  if (draft.name.trim() === '' || draft.body.trim() === '') return false;
  const { scheduled_for: from, scheduled_until: until } = draft;
  return kind === 'incident' || (from !== null && until !== null && from < until);
};
