import { plurals } from '../../words/plurals.ts';
import type { AlertRuleWords, RuleSentenceFacts } from '../words/alert-rules.ts';

const ofRuns = plurals('en', { one: 'run', other: 'runs' });
const ofRegions = plurals('en', { one: 'region', other: 'regions' });
const ofChecks = plurals('en', { one: 'check has', other: 'checks have' });
const ofChannels = plurals('en', { one: 'more channel', other: 'more channels' });
const severities = { low: 'low', medium: 'medium', high: 'high', critical: 'critical' };

const subject = ({ check, tag }: RuleSentenceFacts): string => (check === null ? `a check with the tag ${tag}` : check);

const wrong = (rule: RuleSentenceFacts): string => {
  switch (rule.condition) {
    case 'check_failed':
      return `${subject(rule)} fails`;
    case 'check_timeout':
      return `${subject(rule)} times out`;
    case 'check_degraded':
      return `${subject(rule)} takes longer than ${rule.limit}`;
    case 'consecutive_failures':
      return `${subject(rule)} fails in ${ofRuns(rule.count)} in a row`;
    case 'uptime_below_threshold':
      return `the uptime of ${subject(rule)} over ${rule.window} is below ${rule.threshold}`;
  }
};

const where = ({ mode, regions }: RuleSentenceFacts): string =>
  ({
    any_region: 'in any region',
    all_regions: 'in all regions',
    majority: 'in most regions',
    specific_count: `in at least ${ofRegions(regions)}`,
  })[mode];

const ending = ({ autoResolve, recoveries, cooldown }: RuleSentenceFacts): string[] => [
  autoResolve
    ? `It ends after ${recoveries === 1 ? 'one run' : `${ofRuns(recoveries)} in a row`} without this problem.`
    : 'It lasts until somebody resolves it.',
  ...(cooldown === null ? [] : [`The next alert starts no earlier than ${cooldown} after the start of this one.`]),
];

export const alertRules: AlertRuleWords = {
  title: 'Rules',
  add: 'New rule',
  addTitle: 'New alert rule',
  none: 'No alert rules yet',
  noneText: 'A rule defines which channels are notified when a check fails.',
  noMatch: 'No rule matches the filter.',
  search: 'Search rules',
  rule: 'Rule',
  effect: 'What it does',
  state: 'State',
  sentences: (rule) => [
    `When ${wrong(rule)} ${where(rule)}${rule.confirmations > 1 ? `, ${ofRuns(rule.confirmations)} in a row` : ''}, ` +
      `start an alert of severity ${severities[rule.severity]}${rule.channels === '' ? '' : ` and notify ${rule.channels}`}.`,
    ...ending(rule),
  ],
  moreChannels: ofChannels,
  enabled: 'on',
  disabled: 'off',
  enable: 'Switch on',
  disable: 'Switch off',
  mutedUntil: 'muted until',
  muteFor: (duration) => `Mute for ${duration}`,
  unmute: 'End mute',
  quietBy: 'quiet during maintenance:',
  ofTag: 'Tag',
  deleteTitle: (name) => `Delete the rule ${name}?`,
  deleteText: 'Its active alerts are resolved. Past alerts stay.',
  watches: 'What it watches',
  about: 'It watches',
  abouts: { check: 'One check', tag: 'Each check with a tag' },
  check: 'Check',
  findCheck: 'Type a part of its name',
  tag: 'Tag',
  tagHint: 'Each check has its own alert, including checks that get the tag later.',
  tagged: (count) => `${ofChecks(count)} this tag now.`,
  when: 'When it alerts',
  condition: 'Condition',
  conditions: {
    check_failed: 'A run fails',
    consecutive_failures: 'Several runs in a row fail',
    check_timeout: 'A run times out',
    check_degraded: 'A run takes too long',
    uptime_below_threshold: 'The uptime is too low',
  },
  limit: 'Response time above',
  count: 'Failed runs in a row',
  threshold: 'Uptime below',
  window: 'Measured over the last',
  mode: 'In how many regions',
  modes: {
    any_region: 'In any region',
    majority: 'In most regions',
    all_regions: 'In all regions',
    specific_count: 'In a number of regions',
  },
  regions: 'Minimum number of regions',
  confirmations: 'Runs in a row before it alerts',
  confirmationsHint: 'With two or more, a single failed run alerts nobody.',
  then: 'Who is notified',
  channels: 'Channels',
  noChannels: 'There are no alert channels yet.',
  addChannel: 'New channel',
  end: 'How it ends',
  autoResolve: 'Resolve the alert automatically',
  recoveries: 'Successful runs in a row before it is resolved',
  cooldown: 'Time between two alerts',
  cooldownHint: 'Counted from the start of the previous alert.',
  mutedUntilField: 'Muted until',
  mutedUntilHint: 'Until then alerts are listed, but nobody is notified.',
  enabledField: 'The rule is switched on',
  nameExample: 'Shop is down',
  alertsOfRule: 'Alerts of this rule',
};
