/**
 * The kinds of notifications that subscribers of a status page get (docs/reference/subscribers.md#causes-of-messages).
 */
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
