import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AlertRuleFields } from '../../../domain/alert-rule/fields.ts';
import {
  missingParameters,
  ruleProblems,
  type RuleReferences,
  type MonitoredCheck,
} from '../../../domain/alert-rule/problems.ts';
import { aRule } from './examples.ts';

const test = suite('problems of an alert rule');

const check: MonitoredCheck = { type: 'web', timeout: 10, parameters: {} };
const parallel: MonitoredCheck = {
  ...check,
  parameters: {
    regions: ['ru-central1', 'eu-west1', 'in-mum1'],
    multi_region_execution: { enabled: true, execution_mode: 'all' },
  },
};
const around = (changes: Partial<RuleReferences> = {}): RuleReferences => ({
  check,
  channels: new Set(['channel00001']),
  retentionDays: 30,
  ...changes,
});
const EVERYTHING = new Set(Object.keys(aRule()));
const problems = (changes: Partial<AlertRuleFields>, surroundings: Partial<RuleReferences> = {}) =>
  ruleProblems(aRule(changes), EVERYTHING, around(surroundings));

test('a complete alert rule has no problems', () => {
  assert.equal(problems({}), {});
  assert.equal(missingParameters(aRule()), {});
});

test("an alert rule can't refer to a check or channels of another organization", () => {
  assert.equal(problems({}, { check: null }), { check_id: ['There is no such check.'] });
  assert.equal(problems({ channel_ids: ['channel00001', 'channel00002'] }), {
    channel_ids: ['There are no such channels: channel00002.'],
  });
});

test('an alert rule has either a check or a tag', () => {
  assert.equal(Object.keys(problems({ tag: 'prod' })), ['tag']);
  assert.equal(problems({ check_id: null }, { check: null }), { check_id: ['Missing required field.'] });
  const degraded = { condition: 'check_degraded', condition_parameters: { response_time: 60_000 } } as const;
  assert.equal(problems({ check_id: null, tag: 'prod', ...degraded }, { check: null }), {});
});

test('an alert rule needs the parameters of its condition', () => {
  assert.equal(missingParameters(aRule({ condition: 'uptime_below_threshold' })), {
    'condition_parameters.threshold': ['Missing required field.'],
    'condition_parameters.window_seconds': ['Missing required field.'],
  });
  assert.equal(missingParameters(aRule({ multi_region_mode: 'specific_count' })), {
    'multi_region_threshold.count': ['Missing required field.'],
  });
});

test("the window of an alert rule can't exceed the retention of results", () => {
  const window = (days: number) =>
    problems({
      condition: 'uptime_below_threshold',
      condition_parameters: { threshold: 99, window_seconds: days * 86_400 },
    });
  assert.equal(window(30), {});
  assert.equal(window(31), {
    'condition_parameters.window_seconds': ['Must be less than or equal to 2592000: results are stored for 30 days.'],
  });
});

test('the response time of an alert rule must be below the timeout of the check', () => {
  const slower = (response_time: number, monitored: MonitoredCheck = check) =>
    problems({ condition: 'check_degraded', condition_parameters: { response_time } }, { check: monitored });
  assert.equal(slower(9_999), {});
  assert.equal(slower(10_000), {
    'condition_parameters.response_time': ['Must be less than 10000, the timeout of the check in milliseconds.'],
  });
  assert.equal(slower(500, { ...check, type: 'portscan' }), {
    condition: ['A portscan check has no response time.'],
  });
});

test("an alert rule can't require more regions than its check runs in", () => {
  const regions = (count: number, monitored: MonitoredCheck) =>
    problems({ multi_region_mode: 'specific_count', multi_region_threshold: { count } }, { check: monitored });
  assert.equal(regions(3, parallel), {});
  assert.equal(regions(4, parallel), {
    'multi_region_threshold.count': ['Must be less than or equal to 3, the number of regions of a run.'],
  });
  assert.equal(regions(2, check), {
    'multi_region_threshold.count': ['Must be 1: the check runs in one region.'],
  });
});

test('an unchanged field of an alert rule is valid even if the check or the channels that it refers to no longer exist', () => {
  const rule = aRule({ condition: 'check_degraded', condition_parameters: { response_time: 60_000 } });
  assert.equal(ruleProblems(rule, new Set(['name']), around({ channels: new Set() })), {});
});

test.run();
