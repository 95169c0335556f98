import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CONSOLE_WORDS } from '../../../messages/console-words/index.ts';
import { PAGE_LANGUAGES } from '../../../messages/words/languages.ts';
import {
  bodyOf,
  CONDITIONS,
  newRule,
  REGION_MODES,
  valuesOfRule,
  type Rule,
} from '../../../console/screens/alert-rules/draft.ts';
import { filterOf, rulesMatching, ruleListPath } from '../../../console/screens/alert-rules/filter.ts';
import { sentenceFactsOf, type DescribedRule } from '../../../console/screens/alert-rules/sentence-facts.ts';

const test = suite('the alert rule form');

const RULE: Rule = {
  id: 'k3v9x0q2m7ab',
  name: 'Shop is down',
  check_id: 'x4w8b2h7t1zq',
  tag: null,
  check_name: 'Shop',
  condition: 'consecutive_failures',
  condition_parameters: { count: 3 },
  multi_region_mode: 'specific_count',
  multi_region_threshold: { count: 2 },
  severity: 'critical',
  channel_ids: ['a', 'b'],
  channels: [],
  cooldown_period: 300,
  auto_resolve: true,
  enabled: true,
  confirmations: 2,
  recovery_confirmations: 1,
  muted_until: '2026-11-20T15:00:00.000000',
  suppressed_by: null,
  managed_by: null,
  revision: 7,
  created_at: '2026-11-20T15:00:00.000000',
  updated_at: '2026-11-20T15:00:00.000000',
};

test('an alert rule is saved with all of its fields', () => {
  const { name, check_id, tag, condition, condition_parameters, multi_region_mode, multi_region_threshold } = RULE;
  const { severity, channel_ids, cooldown_period, auto_resolve, enabled, confirmations, recovery_confirmations } = RULE;
  assert.equal(bodyOf(valuesOfRule(RULE)), {
    ...{ name, check_id, tag, condition, condition_parameters, multi_region_mode, multi_region_threshold },
    ...{ severity, channel_ids, cooldown_period, auto_resolve, enabled, confirmations, recovery_confirmations },
    muted_until: '2026-11-20T15:00:00.000000Z',
  });
});

test('an alert rule is saved with either a check or a tag, and only with the parameters of its condition', () => {
  const byTag = bodyOf({ ...valuesOfRule(RULE), about: 'tag', tag: ' eu ', condition: 'check_failed' });
  assert.equal([byTag.check_id, byTag.tag, byTag.condition_parameters], [null, 'eu', {}]);
  const uptime = bodyOf({ ...valuesOfRule(RULE), condition: 'uptime_below_threshold', threshold: null });
  assert.equal(uptime.condition_parameters, { window_seconds: 86_400 });
  const anywhere = bodyOf({ ...valuesOfRule(RULE), multi_region_mode: 'any_region' });
  assert.is(anywhere.multi_region_threshold, null);
  const empty = bodyOf({ ...valuesOfRule(RULE), regions: null });
  assert.equal(empty.multi_region_threshold, {});
});

test('the rule form starts with the values that a link contains', () => {
  const about = (query: string) => {
    const { about: kind, check_id, tag } = newRule(new URLSearchParams(query));
    return [kind, check_id, tag];
  };
  assert.equal(about(''), ['check', null, '']);
  assert.equal(about('check_id=c'), ['check', 'c', '']);
  assert.equal(about('tag=eu'), ['tag', null, 'eu']);
});

const sentences = async (
  rule: DescribedRule,
  channels: readonly string[],
  language: (typeof PAGE_LANGUAGES)[number],
) => {
  const { alertRules } = await CONSOLE_WORDS[language]();
  const texts = alertRules.sentences(sentenceFactsOf(rule, channels, alertRules.moreChannels, language));
  return texts.map((one) => one.replace(/[\u2068\u2069]/g, '').replace(/\s/g, ' '));
};

test('an alert rule is described in sentences', async () => {
  assert.equal(await sentences(RULE, ['On call', 'Slack'], 'en'), [
    'When Shop fails in 3 runs in a row in at least 2 regions, 2 runs in a row, start an alert of severity critical and notify On call and Slack.',
    'It ends after one run without this problem.',
    'The next alert starts no earlier than 5 min after the start of this one.',
  ]);
  const slow: DescribedRule = {
    ...RULE,
    tag: 'eu',
    condition: 'check_degraded',
    condition_parameters: { response_time: 800 },
    multi_region_mode: 'majority',
    confirmations: 1,
    auto_resolve: false,
    cooldown_period: 0,
  };
  assert.equal(await sentences(slow, ['a', 'b', 'c', 'd', 'e'], 'en'), [
    'When a check with the tag eu takes longer than 800 ms in most regions, start an alert of severity critical and notify a, b, c, and 2 more channels.',
    'It lasts until somebody resolves it.',
  ]);
});

test('an alert rule with any condition is described in every language', async () => {
  for (const language of PAGE_LANGUAGES) {
    for (const condition of CONDITIONS) {
      for (const multi_region_mode of REGION_MODES) {
        const parameters = { response_time: 800, count: 3, threshold: 99.5, window_seconds: 86_400 };
        const rule = { ...RULE, condition, multi_region_mode, condition_parameters: parameters };
        const description = (await sentences(rule, ['On call'], language)).join(' ');
        assert.match(description, /Shop.*On call/, description);
        assert.not.match(description, /undefined|null|NaN|,,| {2}/, description);
      }
    }
  }
});

test('a name in the description of a rule does not affect the text direction of the sentence', () => {
  const facts = sentenceFactsOf({ ...RULE, check_name: 'متجر' }, ['قناة'], () => '', 'en');
  assert.equal([facts.check, facts.channels], ['\u2068متجر\u2069', '\u2068قناة\u2069']);
});

test('the rule list finds a rule by its name, check, tag and channels', () => {
  const other: Rule = { ...RULE, id: 'other', name: 'Alpha', check_name: null, check_id: null, tag: 'eu' };
  const names = (text: string): string[] => rulesMatching([RULE, other], text).map(({ name }) => name);
  assert.equal(names(''), ['Alpha', 'Shop is down']);
  assert.equal(names('SHOP'), ['Shop is down']);
  assert.equal(names('eu'), ['Alpha']);
  for (const query of ['', '?q=shop&check_id=c&page=2', '?tag=eu'])
    assert.is(ruleListPath(filterOf(new URLSearchParams(query))), `/alerts/rules${query}`);
});

test.run();
