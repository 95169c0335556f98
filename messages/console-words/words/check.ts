/** Texts of the check screen. */
export interface CheckWords {
  toChecks: string;
  /** the interval: `every 30 sec` */
  every: (interval: string) => string;
  running: string;
  runTitle: string;
  runQueued: string;
  runStarted: string;
  /** outcomes of a run on demand */
  outcomes: Readonly<Record<'ok' | 'failed' | 'timeout', string>>;
  showResult: string;
  clone: string;
  muteFor: (duration: string) => string;
  unmute: string;
  /** shown before a time */
  mutedUntil: string;
  /** this and the following texts confirm completed actions */
  muted: string;
  unmuted: string;
  paused: string;
  resumed: string;
  deleteTitle: string;
  deleteText: string;
  wasDeleted: string;
  wasDeletedText: string;
  wasRestored: string;
  figures: string;
  range: string;
  ranges: Readonly<Record<'1h' | '24h' | '7d' | '30d' | '6m', string>>;
  reload: string;
  asOf: (time: string) => string;
  uptime: string;
  average: string;
  /** label of the 95th percentile of response times */
  p95: string;
  p95Slowest: string;
  p95Worst: string;
  runs: string;
  /** shown after a duration, in the legend of a chart */
  downtime: string;
  /** description of a chart for screen readers */
  chart: (average: string, p95: string) => string;
  asTable: string;
  outagesAsTable: string;
  noTimes: string;
  noOutage: string;
  /** the number of outages, and their total duration */
  outages: (count: number, duration: string) => string;
  now: string;
  duration: string;
  region: string;
  regions: string;
  allRegions: string;
  eachRegion: string;
  newest: string;
  when: string;
  /** heading of the column that says how long ago a result arrived */
  age: string;
  server: string;
  responseTime: string;
  tabs: string;
  results: string;
  result: string;
  filters: string;
  failuresOnly: string;
  from: string;
  to: string;
  status: string;
  message: string;
  /** statuses of results */
  statuses: Readonly<Record<'ok' | 'down' | 'failed' | 'error', string>>;
  noResults: string;
  noMatch: string;
  onDemand: string;
  scheduled: string;
  kind: string;
  suspect: string;
  suspectText: string;
  firedAlerts: string;
  alerts: string;
  alertList: string;
  alert: string;
  alertStatuses: Readonly<Record<'firing' | 'acknowledged' | 'resolved', string>>;
  noAlerts: string;
  rules: string;
  newRule: string;
  noRules: string;
  condition: string;
  conditions: Readonly<
    Record<
      'check_failed' | 'check_timeout' | 'check_degraded' | 'consecutive_failures' | 'uptime_below_threshold',
      string
    >
  >;
  severity: string;
  channels: string;
  disabled: string;
  name: string;
  history: string;
  noHistory: string;
  /** shown instead of an actor's e-mail address if the actor has none */
  actors: Readonly<Record<'user' | 'api_key' | 'system', string>>;
  field: string;
  before: string;
  after: string;
}
