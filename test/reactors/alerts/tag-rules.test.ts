import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AlertRuleDocument } from '../../../projections/alert-rules/documents.ts';
import { suppressedTagId } from '../../../projections/quiet-checks/documents.ts';
import { pairOf, TagRules, type CachedAlert } from '../../../reactors/alerts/tag-rules.ts';
import { aRule, check_id, organization_id, rule_id } from '../../domain/alert-rule/examples.ts';

const test = suite('the in-memory index of rules by tag');

const rule: AlertRuleDocument = {
  ...aRule({ check_id: null, tag: 'prod' }),
  id: rule_id,
  organization_id,
  muted_until: null,
  revision: 1,
  created_at: '2026-11-20T15:00:00.000000',
  updated_at: '2026-11-20T15:00:00.000000',
  changed_position: 10,
};
const PROD = suppressedTagId(organization_id, 'prod');
const pair = pairOf(rule_id, check_id);
const alertAt = (changed_position: number, status: CachedAlert['status'] = 'firing'): CachedAlert => ({
  organization_id,
  check_id,
  number: 1,
  alert_id: 'alert0000001',
  status,
  fired_at: '2026-11-20T15:00:00.000000',
  resolved_at: null,
  resolution: null,
  condition_ended: false,
  changed_position,
});

const known = () => {
  const tagged = new Set<string>([check_id]);
  const touched: string[] = [];
  const rules = new TagRules({
    rule: (id) => (id === rule_id ? rule : null),
    hasTag: (id, tag) => tag === PROD && tagged.has(id),
    touch: (id) => touched.push(id),
  });
  rules.link(rule, 'prod');
  return { rules, tagged, touched };
};

test('a rule by tag targets the checks that have the tag now', () => {
  const { rules, tagged, touched } = known();
  rules.touchCheck(check_id, [suppressedTagId(organization_id, 'eu'), PROD]);
  rules.touchCheck(check_id, [suppressedTagId('org000000002', 'prod')]);
  assert.equal(touched, [pair]);
  assert.is(rules.get(pair)?.check_id, check_id);
  tagged.clear();
  assert.is(rules.get(pair)?.check_id, null);
});

test('the alert of a rule by tag ends when its check is deleted, unless the check is restored first', () => {
  const { rules } = known();
  rules.updateAlert(pair, alertAt(20));
  rules.checkRemoved(check_id);
  assert.is(rules.get(pair)?.rule, 'check_deleted');
  rules.checkRestored(check_id);
  assert.is(rules.get(pair)?.rule, rule);
  assert.equal(rules.activeChecks(), [check_id]);
});

test('a deleted rule by tag is forgotten when all its alerts are resolved', () => {
  const { rules } = known();
  rules.updateAlert(pair, alertAt(20));
  rules.ruleRemoved(rule, 'rule_deleted');
  assert.not.ok(rules.hasRulesOf(organization_id));
  assert.is(rules.get(pair)?.rule, 'rule_deleted');
  rules.updateAlert(pair, alertAt(30, 'resolved'));
  assert.not.ok(rules.isUsed);
  // An alert that is reported again does not bring back the deleted rule.
  rules.updateAlert(pair, alertAt(30, 'resolved'));
  assert.not.ok(rules.isUsed);
});

test.run();
