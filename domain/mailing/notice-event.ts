/** The events of which subscribers of a page are notified (docs/reference/subscribers.md#causes-of-messages). */
export const NOTICE_EVENTS = [
  'incident.created',
  'incident.updated',
  'incident.resolved',
  'maintenance.reminder',
  'maintenance.started',
  'maintenance.completed',
  'postmortem.published',
  'component.status_changed',
] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];
