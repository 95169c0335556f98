/** The values that the sentences about a rule contain. Texts are already formatted. */
export interface RuleSentenceFacts {
  /** name of the check; null: the rule selects checks by tag */
  check: string | null;
  /** tag of the watched checks; used if `check` is null */
  tag: string;
  condition: 'check_failed' | 'check_timeout' | 'check_degraded' | 'consecutive_failures' | 'uptime_below_threshold';
  /** for `check_degraded`: `800 ms` */
  limit: string;
  /** for `consecutive_failures` */
  count: number;
  /** for `uptime_below_threshold`: `99.9 %` */
  threshold: string;
  /** for `uptime_below_threshold`: `1 day` */
  window: string;
  mode: 'any_region' | 'all_regions' | 'majority' | 'specific_count';
  /** number of regions, for `specific_count` */
  regions: number;
  /**
   * An alert fires after `confirmations` consecutive runs in which the condition is met. The alert is resolved after
   * `recoveries` consecutive runs in which the condition is not met.
   */
  confirmations: number;
  recoveries: number;
  autoResolve: boolean;
  severity: 'low' | 'medium' | 'high' | 'critical';
  /** names of channels, joined as a list; empty: none */
  channels: string;
  /** minimum time between the starts of two alerts, in words; null: none */
  cooldown: string | null;
}

/** Texts of the alert rule list and form. */
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
  /** describes a rule in sentences */
  sentences: (rule: RuleSentenceFacts) => readonly string[];
  /** shown after the listed channel names */
  moreChannels: (count: number) => string;
  enabled: string;
  disabled: string;
  enable: string;
  disable: string;
  /** shown before a time */
  mutedUntil: string;
  muteFor: (duration: string) => string;
  unmute: string;
  /** shown before the name of a maintenance */
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
  /** the number of checks that have the tag now */
  tagged: (count: number) => string;
  when: string;
  condition: string;
  conditions: Readonly<Record<RuleSentenceFacts['condition'], string>>;
  limit: string;
  count: string;
  threshold: string;
  window: string;
  mode: string;
  modes: Readonly<Record<RuleSentenceFacts['mode'], string>>;
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
