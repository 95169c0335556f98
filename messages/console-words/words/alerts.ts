/** Of alerts: their list, and the screen of one. */
export interface AlertWords {
  alert: string;
  status: string;
  severity: string;
  check: string;
  rule: string;
  /** for how long an alert has been active */
  since: string;
  /** who is handling an alert */
  handling: string;
  statuses: Readonly<Record<'firing' | 'acknowledged' | 'resolved', string>>;
  /** which alerts are shown */
  filters: Readonly<Record<'active' | 'firing' | 'acknowledged' | 'resolved' | 'all', string>>;
  search: string;
  searchExample: string;
  /** how many alerts the filter finds */
  matches: (count: number) => string;
  none: string;
  noneText: string;
  noMatch: string;
  showAll: string;
  /** shows the rows as they are now */
  listChanged: string;
  select: string;
  selectAll: string;
  /** names the buttons for what is selected */
  selection: string;
  selected: (count: number) => string;
  selectMatches: (count: number) => string;
  tooMany: (count: number) => string;
  clear: string;
  acknowledge: string;
  resolve: string;
  acknowledgedMany: (count: number) => string;
  resolvedMany: (count: number) => string;
  /** asked before alerts are resolved */
  resolveTitle: (count: number) => string;
  resolveText: string;
  /** the alert has no assignee */
  nobody: string;
  /** who is no user that is known */
  someoneElse: string;
  /** in place of a rule, of an alert that the service raised about itself */
  ofService: string;
  firedAt: string;
  resolvedAt: string;
  /** what happened to an alert */
  course: string;
  events: Readonly<Record<'fired' | 'acknowledged' | 'resolved', string>>;
  /** behind `Resolved`: nobody did it */
  byItself: string;
  noMessages: string;
  /** looks whether messages have arrived */
  checkMessages: string;
  deletedChannel: string;
  /** what a message says */
  aboutFired: string;
  aboutResolved: string;
  /** of messages */
  outcomes: Readonly<Record<'sent' | 'failed' | 'retrying' | 'pending' | 'superseded', string>>;
  regions: string;
  region: string;
  /** whether the condition of the rule held in a region */
  holds: string;
  triggers: string;
  at: string;
  around: string;
  checkDeleted: string;
  resultStatuses: Readonly<Record<'ok' | 'down' | 'failed' | 'error', string>>;
  /** how many alerts are active, in the sidebar, for screen readers */
  active: (count: number) => string;
}
