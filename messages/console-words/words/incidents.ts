type ComponentStatus = 'operational' | 'under_maintenance' | 'degraded_performance' | 'partial_outage' | 'major_outage';
type Status =
  'investigating' | 'identified' | 'monitoring' | 'resolved' | 'scheduled' | 'in_progress' | 'verifying' | 'completed';
type Impact = 'none' | 'maintenance' | 'minor' | 'major' | 'critical';

/** A confirmation: the question, its consequences and the label of the button. */
interface Ask {
  title: string;
  text: string;
  action: string;
}

/** Texts of the lists, the screen and the editor of incidents and maintenances. */
export interface IncidentWords {
  statuses: Readonly<Record<Status, string>>;
  componentStatuses: Readonly<Record<ComponentStatus, string>>;
  impacts: Readonly<Record<Impact, string>>;
  name: string;
  status: string;
  impact: string;
  /** option for deriving the impact from the component statuses */
  impactFollows: string;
  components: string;
  /** option for leaving the status of the component unchanged */
  unchanged: (status: string) => string;
  addComponent: string;
  message: string;
  markdown: string;
  /** example names */
  incidentExample: string;
  maintenanceExample: string;
  notify: string;
  notifyHint: string;
  silentHint: string;
  further: string;
  happenedAt: string;
  happenedAtHint: string;
  notFuture: string;
  /** bounds of a schedule */
  from: string;
  until: string;
  /** a time in the time zone of the status page */
  onPage: (time: string, zone: string) => string;
  automatic: string;
  switches: Readonly<
    Record<
      | 'scheduled_auto_in_progress'
      | 'scheduled_auto_completed'
      | 'auto_transition_to_maintenance_state'
      | 'auto_transition_to_operational_state'
      | 'auto_transition_deliver_notifications_at_start'
      | 'auto_transition_deliver_notifications_at_end'
      | 'scheduled_remind_prior',
      string
    >
  >;
  reminders: string;
  remindersHint: string;
  /** tabs of the editor on a phone */
  write: string;
  preview: string;
  /** the formats of the preview */
  ways: Readonly<Record<'page' | 'email' | 'sms' | 'feed', string>>;
  previewEmpty: string;
  previewRefused: string;
  noMessage: string;
  noFeed: string;
  /** says how many messages one SMS is billed as */
  segments: (count: number) => string;
  /** counts of recipients */
  mails: (count: number) => string;
  texts: (count: number) => string;
  webhooks: (count: number) => string;
  nobody: string;
  fromTemplate: string;
  publish: string;
  /** the shortcut for publishing */
  publishKey: string;
  schedule: string;
  published: string;
  /** says when messages will be sent */
  sentIn: (seconds: number) => string;
  sending: string;
  restored: string;
  discard: string;
  othersPublished: string;
  keepDraft: string;
  changedMeanwhile: string;
  newIncident: string;
  newMaintenance: string;
  writeUpdate: string;
  editUpdate: string;
  editUpdateText: string;
  notified: string;
  silent: string;
  withhold: string;
  withheld: string;
  /** label of the tabs of an incident, for screen readers */
  parts: string;
  partNames: Readonly<Record<'updates' | 'components' | 'postmortem', string>>;
  startNow: string;
  completeNow: string;
  openPage: string;
  saveAsTemplate: string;
  asks: Readonly<Record<'delete' | 'start' | 'complete' | 'deleteUpdate' | 'withhold' | 'unpublish', Ask>>;
  noComponents: string;
  now: string;
  course: string;
  postmortem: string;
  postmortemExample: string;
  postmortemPublished: string;
  publishPostmortem: string;
  unpublishPostmortem: string;
  noPostmortem: string;
  draftOnly: string;
  /** shown before a time */
  draftSaved: string;
  draftSaving: string;
  draftNotSaved: string;
  noPages: string;
  noPagesText: string;
  newPage: string;
  page: string;
  running: string;
  noneRunning: string;
  since: string;
  past: string;
  nonePast: string;
  period: string;
  periods: Readonly<Record<'all' | 'month' | 'quarter' | 'year', string>>;
  began: string;
  lasted: string;
}
