/** Texts of the report screens. */
export interface ReportWords {
  new: string;
  empty: string;
  emptyText: string;
  type: string;
  types: { uptime: string; response_time: string; incidents: string };
  subject: string;
  allChecks: string;
  ofTag: (tag: string) => string;
  ofPage: (page: string) => string;
  ofChecks: (count: number) => string;
  period: string;
  status: string;
  statuses: { queued: string; completed: string; failed: string };
  schedule: string;
  schedules: { none: string; weekly: string; monthly: string };
  /** shown next to a repeated report */
  nextRun: (time: string) => string;
  /** marks a report that was created by a schedule */
  bySchedule: string;
  target: string;
  timeZone: string;
  recipients: string;
  format: string;
  download: (format: string) => string;
  noFile: string;
  queuedText: string;
  /** this and the following texts are labels of figures */
  uptime: string;
  downtime: string;
  outages: string;
  incidents: string;
  average: string;
  checks: string;
  components: string;
  belowTarget: string;
  uptimeByDay: string;
  timesByDay: string;
  noData: string;
  onlyJson: string;
  figuresByDay: string;
  day: string;
  cause: string;
  started: string;
  duration: string;
  deleteTitle: string;
  deleteText: string;
  deleteScheduleText: string;
  form: {
    about: string;
    when: string;
    delivery: string;
    subjects: { all: string; tag: string; page: string; checks: string };
    tag: string;
    page: string;
    findChecks: string;
    chosen: string;
    ranges: { last7: string; last30: string; last90: string; lastMonth: string; custom: string };
    from: string;
    to: string;
    scheduleHint: string;
    targetHint: string;
    recipientsHint: string;
    formats: { pdf: string; json: string; csv: string };
  };
}
