import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listAlertRules, type AlertRuleFilters } from '../../../queries/alerts/alert-rules.ts';
import { aRule, organization_id } from '../../domain/alert-rule/examples.ts';
import { CHECK, checkCreated } from '../../domain/check/examples.ts';
import { added, byClock, scheduled } from '../../domain/incident/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { scopeOf } from '../engine/scope.ts';

const test = suite('lists of alert rules');

const made = (rule_id: string, fields: Parameters<typeof aRule>[0]): Fact => ({
  type: 'AlertRuleCreated',
  data: { rule_id, organization_id, rule: aRule({ channel_ids: [], ...fields }) },
});
const facts: Fact[] = [
  checkCreated({ tags: ['eu', 'prod'] }),
  made('rule-check', { check_id: CHECK }),
  made('rule-prod', { check_id: null, tag: 'prod' }),
  made('rule-test', { check_id: null, tag: 'test' }),
];
const PAGING = { page: 1, size: 100 };
const listed = async (filters: AlertRuleFilters, more: Fact[] = []) => {
  const scope = scopeOf([...facts, ...more]);
  const { items } = await listAlertRules(scope, filters, PAGING, { reveal: true });
  return { items, reads: scope.reads };
};
const idsOf = async (filters: AlertRuleFilters): Promise<string[]> =>
  (await listed(filters)).items.map(({ id }) => id).sort();

test('a list of alert rules includes rules by tag only on request', async () => {
  assert.equal(await idsOf({}), ['rule-check']);
  assert.equal(await idsOf({ by_tag: true }), ['rule-check', 'rule-prod', 'rule-test']);
  assert.equal(await idsOf({ tag: 'test' }), ['rule-test']);
  assert.equal(await idsOf({ check_id: CHECK }), ['rule-check']);
  assert.equal(await idsOf({ check_id: CHECK, by_tag: true }), ['rule-check', 'rule-prod']);
  assert.equal(await idsOf({ check_id: 'check0000009', by_tag: true }), []);
});

test('an alert rule by tag shows the maintenance of a component with the same tag', async () => {
  const maintenance = [
    added('api', { check_tag: 'prod' }),
    scheduled(),
    byClock('20:00', 'scheduled', 'in_progress'),
  ] as Fact[];
  const { items } = await listed({ by_tag: true }, maintenance);
  const suppressed = items.flatMap(({ id, suppressed_by }) => (suppressed_by ? id : [])).sort();
  assert.equal(suppressed, ['rule-check', 'rule-prod']);
});

test('a list of alert rules reads no tags if none of the rules has a tag', async () => {
  const { reads } = await listed({ check_id: 'check0000009' });
  assert.not.ok(reads.includes('checks.get'));
});

test.run();
