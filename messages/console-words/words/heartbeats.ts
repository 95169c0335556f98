/** Texts of the heartbeat screens. Durations, times and names are already formatted. */
export interface HeartbeatWords {
  new: string;
  edit: string;
  clone: string;
  pause: string;
  resume: string;
  /** shown next to a heartbeat; `grace`: its ping is overdue, `pending`: it was never pinged */
  states: { down: string; grace: string; up: string; pending: string; paused: string };
  /** sections of the list */
  late: string;
  others: string;
  filter: string;
  /** `status:` and `tag:` are syntax and never translated */
  filterExample: string;
  matches: (count: number) => string;
  noMatch: string;
  showAll: string;
  empty: string;
  emptyText: string;
  status: string;
  schedule: string;
  lastPing: string;
  nextPing: string;
  /** shown instead of the time of the previous or next ping */
  never: string;
  notExpected: string;
  /** a period: `every 1 hr` */
  every: (duration: string) => string;
  /** says how long ago a ping arrived: `12 min ago` */
  ago: (duration: string) => string;
  /** for how long a ping has been overdue */
  overdue: (duration: string) => string;
  /** sentences that explain what is expected next, by state */
  explain: {
    up: (next: string, down: string) => string;
    grace: (next: string, down: string) => string;
    down: string;
    pending: string;
    paused: string;
  };
  grace: string;
  maxDuration: string;
  tags: string;
  address: string;
  addressHint: string;
  nextTimes: string;
  /** heading for the next times of a schedule, with the name of its time zone */
  nextTimesIn: (zone: string) => string;
  /** heading for the next times of a heartbeat with a period */
  nextTimesPeriod: string;
  noTimes: string;
  /** heading of the section that explains how to make a job send pings */
  connect: string;
  connectText: (job: string) => string;
  place: string;
  lines: {
    success: string;
    startAndEnd: string;
    service: string;
    timer: string;
    enable: string;
    cronJob: string;
    script: string;
    powershell: string;
  };
  hints: {
    cron: (zone: string) => string;
    systemd: string;
    kubernetes: string;
    curl: string;
    powershell: string;
  };
  pings: string;
  noPings: string;
  refresh: string;
  received: string;
  kind: string;
  kinds: { success: string; start: string; fail: string };
  duration: string;
  source: string;
  body: string;
  /** the number of pings in the last 24 hours */
  perDay: (count: number) => string;
  channels: string;
  noChannels: string;
  addChannel: string;
  createChannel: string;
  removeChannel: string;
  deleteTitle: string;
  deleteText: string;
  form: {
    job: string;
    namePlaceholder: string;
    tagsHint: string;
    when: string;
    kind: string;
    kinds: { period: string; schedule: string };
    period: string;
    periodHint: string;
    schedule: string;
    scheduleHint: string;
    timeZone: string;
    tooLate: string;
    graceHint: string;
    maxDurationHint: string;
    active: string;
    activeHint: string;
  };
}
