import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AlertRuleEvent } from '../../../domain/alert-rule/events.ts';
import type { AlertRuleFields } from '../../../domain/alert-rule/fields.ts';
import {
  alertRuleDecider,
  createAlertRule,
  deleteAlertRule,
  updateAlertRule,
} from '../../../domain/alert-rule/rule.ts';
import { withDefaults, type AlertRuleInput } from '../../../domain/alert-rule/settings.ts';
import { NotFound } from '../../../domain/errors.ts';
import { specification } from '../specification.ts';
import { aRule } from './examples.ts';

const rule = specification(alertRuleDecider);
const test = suite('an alert rule');

const rule_id = 'rule00000001';
const organization_id = 'org000000001';
const created = (fields: AlertRuleFields): AlertRuleEvent => ({
  type: 'AlertRuleCreated',
  data: { rule_id, organization_id, rule: fields },
});
const updated = (changes: Partial<AlertRuleFields>, previous: Partial<AlertRuleFields>): AlertRuleEvent => ({
  type: 'AlertRuleUpdated',
  data: { rule_id, changes, previous },
});
const NOW = '2026-11-20T15:00:00.000000';
const LATER = '2026-11-20T16:00:00.000000';
const muted = (muted_until: string | null, previous: string | null = null): AlertRuleEvent => ({
  type: 'AlertRuleMuted',
  data: { rule_id, muted_until, previous },
});
const deleted: AlertRuleEvent = { type: 'AlertRuleDeleted', data: { rule_id } };
const change = (input: AlertRuleInput) => (state: Parameters<typeof updateAlertRule>[0]) =>
  updateAlertRule(state, input, NOW);

test('an alert rule consists of the given fields and defaults', () => {
  const { name, check_id, condition, channel_ids } = aRule();
  rule
    .given()
    .when((state) => createAlertRule(state, rule_id, organization_id, { name, check_id, condition, channel_ids }, NOW))
    .then(created(aRule()));
});

test('a change of an alert rule contains only the fields that differ', () => {
  rule
    .given(created(aRule()))
    .when(change({ name: 'API is down', severity: 'critical' }))
    .then(updated({ severity: 'critical' }, { severity: 'medium' }));
});

test('an alert rule has a check or a tag, and setting one replaces the other', () => {
  const { check_id } = aRule();
  rule
    .given(created(aRule()))
    .when(change({ tag: 'prod' }))
    .then(updated({ check_id: null, tag: 'prod' }, { check_id, tag: null }));
  rule
    .given(created(aRule({ check_id: null, tag: 'prod' })))
    .when(change({ check_id }))
    .then(updated({ check_id, tag: null }, { check_id: null, tag: 'prod' }));
});

test('an alert rule of any status can be muted, but only until a time in the future', () => {
  rule
    .given(created(aRule()))
    .when(change({ severity: 'critical', muted_until: LATER }))
    .then(updated({ severity: 'critical' }, { severity: 'medium' }), muted(LATER));
  rule
    .given(created(aRule()))
    .when(change({ muted_until: NOW }))
    .thenNothing();
  rule
    .given(created(aRule()), muted(LATER))
    .when(change({ muted_until: LATER }))
    .thenNothing();
  rule
    .given(created(aRule()), muted(LATER))
    .when(change({ muted_until: NOW }))
    .then(muted(null, LATER));
  rule
    .given(created(aRule()), muted(NOW))
    .when(change({ muted_until: null }))
    .thenNothing();
  const { name, check_id, condition, channel_ids } = aRule();
  const input = { name, check_id, condition, channel_ids, muted_until: LATER };
  rule
    .given()
    .when((state) => createAlertRule(state, rule_id, organization_id, input, NOW))
    .then(created(aRule()), muted(LATER));
});

test('an alert rule is unchanged when all its fields are sent back', () => {
  for (const whole of [
    aRule(),
    aRule({ condition: 'check_degraded', condition_parameters: { response_time: 500 } }),
    aRule({ multi_region_mode: 'specific_count', multi_region_threshold: { count: 2 } }),
  ]) {
    rule.given(created(whole)).when(change(whole)).thenNothing();
  }
});

test('an alert rule stores only the parameters of its condition', () => {
  const degraded = aRule({ condition: 'check_degraded', condition_parameters: { response_time: 500 } });
  rule
    .given(created(degraded))
    .when(change({ condition: 'check_failed' }))
    .then(
      updated(
        { condition: 'check_failed', condition_parameters: {} },
        { condition: 'check_degraded', condition_parameters: { response_time: 500 } },
      ),
    );
  assert.equal(
    withDefaults(aRule(), {
      condition: 'consecutive_failures',
      condition_parameters: { count: 3, response_time: 500, threshold: 99 },
    }).condition_parameters,
    { count: 3 },
  );
  assert.equal(withDefaults(degraded, { condition_parameters: null }).condition_parameters, {});
});

test('the window of an alert rule is one day by default', () => {
  const uptime = withDefaults(aRule(), {
    condition: 'uptime_below_threshold',
    condition_parameters: { threshold: 99.5 },
  });
  assert.equal(uptime.condition_parameters, { threshold: 99.5, window_seconds: 86_400 });
});

test('an alert rule stores a number of regions only in the mode that uses the number', () => {
  const counting = aRule({ multi_region_mode: 'specific_count', multi_region_threshold: { count: 2 } });
  assert.is(withDefaults(counting, { multi_region_mode: 'majority' }).multi_region_threshold, null);
  assert.is(withDefaults(aRule(), { multi_region_threshold: { count: 2 } }).multi_region_threshold, null);
});

test('an alert rule contains each channel once', () => {
  assert.equal(withDefaults(aRule(), { channel_ids: ['b', 'a', 'b'] }).channel_ids, ['b', 'a']);
});

test('an alert rule is deleted once', () => {
  rule.given(created(aRule())).when(deleteAlertRule).then(deleted);
  rule.given(created(aRule()), deleted).when(deleteAlertRule).throws(NotFound, 'There is no such alert rule.');
  rule
    .given(created(aRule()), deleted)
    .when(change({ name: 'x' }))
    .throws(NotFound, 'There is no such alert rule.');
});

test.run();
