/** Texts of the alert list and the alert screen. */
export interface AlertWords {
  alert: string;
  status: string;
  severity: string;
  check: string;
  rule: string;
  /** heading of the column that says for how long an alert has been active */
  since: string;
  /** heading of the column that says who is handling an alert */
  handling: string;
  statuses: Readonly<Record<'firing' | 'acknowledged' | 'resolved', string>>;
  /** options of the status filter */
  filters: Readonly<Record<'active' | 'firing' | 'acknowledged' | 'resolved' | 'all', string>>;
  search: string;
  searchExample: string;
  /** the number of alerts that match the filter */
  matches: (count: number) => string;
  none: string;
  noneText: string;
  noMatch: string;
  showAll: string;
  /** label of a button that shows the current rows */
  listChanged: string;
  select: string;
  selectAll: string;
  /** label of the group of buttons for the selected alerts */
  selection: string;
  selected: (count: number) => string;
  selectMatches: (count: number) => string;
  tooMany: (count: number) => string;
  clear: string;
  acknowledge: string;
  resolve: string;
  acknowledgedMany: (count: number) => string;
  resolvedMany: (count: number) => string;
  /** question to confirm before alerts are resolved */
  resolveTitle: (count: number) => string;
  resolveText: string;
  /** shown if no user is handling the alert */
  nobody: string;
  /** shown instead of the name of an actor who is not a known user */
  someoneElse: string;
  /** shown instead of a rule name, if the service raised the alert about itself */
  ofService: string;
  firedAt: string;
  resolvedAt: string;
  /** heading of the alert's timeline */
  course: string;
  events: Readonly<Record<'fired' | 'acknowledged' | 'resolved', string>>;
  /** shown after `Resolved` if the alert was not resolved by a user */
  byItself: string;
  noMessages: string;
  /** label of a button that reloads the deliveries */
  checkMessages: string;
  deletedChannel: string;
  /** says which event of the alert a message is about */
  aboutFired: string;
  aboutResolved: string;
  /** delivery outcomes */
  outcomes: Readonly<Record<'sent' | 'failed' | 'retrying' | 'pending' | 'superseded', string>>;
  regions: string;
  region: string;
  /** heading of the column that says whether the condition was met in a region */
  holds: string;
  triggers: string;
  at: string;
  around: string;
  checkDeleted: string;
  resultStatuses: Readonly<Record<'ok' | 'down' | 'failed' | 'error', string>>;
  /** the number of active alerts, in the sidebar, for screen readers */
  active: (count: number) => string;
}
