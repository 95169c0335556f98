/** A rule, as sentences say it; texts in it are formatted already. */
export interface SaidRule {
  /** the name of the check; null: the rule is by tag */
  check: string | null;
  /** in place of a check */
  tag: string;
  condition: 'check_failed' | 'check_timeout' | 'check_degraded' | 'consecutive_failures' | 'uptime_below_threshold';
  /** `check_degraded`: `800 ms` */
  limit: string;
  /** `consecutive_failures` */
  count: number;
  /** `uptime_below_threshold`: `99.9 %` */
  threshold: string;
  /** `uptime_below_threshold`: `1 day` */
  window: string;
  mode: 'any_region' | 'all_regions' | 'majority' | 'specific_count';
  /** `specific_count` */
  regions: number;
  /** runs in a row in which the condition must hold, and must not hold */
  confirmations: number;
  recoveries: number;
  autoResolve: boolean;
  severity: 'low' | 'medium' | 'high' | 'critical';
  /** names of channels, as a list in words; empty: it has none */
  channels: string;
  /** seconds between the starts of two alerts, in words; null: none */
  cooldown: string | null;
}

/** Of alert rules: their list, and the form of one. */
export interface AlertRuleWords {
  title: string;
  add: string;
  addTitle: string;
  none: string;
  noneText: string;
  noMatch: string;
  search: string;
  rule: string;
  effect: string;
  state: string;
  /** what a rule does, in sentences */
  sentences: (rule: SaidRule) => readonly string[];
  /** behind the names of channels that are listed */
  moreChannels: (count: number) => string;
  enabled: string;
  disabled: string;
  enable: string;
  disable: string;
  /** before a time */
  mutedUntil: string;
  muteFor: (duration: string) => string;
  unmute: string;
  /** before the name of a maintenance */
  quietBy: string;
  ofTag: string;
  deleteTitle: (name: string) => string;
  deleteText: string;
  watches: string;
  about: string;
  abouts: Readonly<Record<'check' | 'tag', string>>;
  check: string;
  findCheck: string;
  tag: string;
  tagHint: string;
  /** how many checks have the tag now */
  tagged: (count: number) => string;
  when: string;
  condition: string;
  conditions: Readonly<Record<SaidRule['condition'], string>>;
  limit: string;
  count: string;
  threshold: string;
  window: string;
  mode: string;
  modes: Readonly<Record<SaidRule['mode'], string>>;
  regions: string;
  confirmations: string;
  confirmationsHint: string;
  then: string;
  channels: string;
  noChannels: string;
  addChannel: string;
  end: string;
  autoResolve: string;
  recoveries: string;
  cooldown: string;
  cooldownHint: string;
  mutedUntilField: string;
  mutedUntilHint: string;
  enabledField: string;
  nameExample: string;
  alertsOfRule: string;
}
