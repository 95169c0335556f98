import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { alertRules } from '../../../projections/alert-rules/projection.ts';
import { checkRestored } from '../../domain/check/examples.ts';
import type { Fact } from '../history.ts';
import {
  organization_id,
  rule_id,
  check_id,
  rule,
  created,
  disabled,
  moved,
  muted,
  MUTED_UNTIL,
  deleted,
} from '../../domain/alert-rule/examples.ts';
import { projection, projectionRules } from '../specification.ts';

const checkDeleted = (id: string): Fact => ({ type: 'CheckDeleted', data: { check_id: id } });

const restored = (id: string): Fact => checkRestored({ check_id: id });

projectionRules(
  alertRules,
  [
    created,
    disabled,
    muted,
    moved,
    checkDeleted(check_id),
    checkDeleted('check0000002'),
    restored('check0000002'),
  ].concat([created, deleted]),
);

const test = suite('the read model of alert rules');
const gone = { id: rule_id, organization_id, check_id };

test('an alert rule has its present state', async () => {
  await projection(alertRules)
    .given(created, disabled)
    .then('alert_rules', {
      id: rule_id,
      organization_id,
      ...rule,
      enabled: false,
      muted_until: null,
      revision: 2,
      created_at: '2026-11-20T15:00:00.000000',
      updated_at: '2026-11-20T15:00:01.000000',
      changed_position: 20,
    });
});

test('the end of a rule’s mute is stored as a change of the rule', async () => {
  const [found] = await projection(alertRules).given(created, disabled, muted).documents('alert_rules');
  const { muted_until, updated_at, changed_position } = found ?? {};
  assert.equal([muted_until, updated_at, changed_position], [MUTED_UNTIL, '2026-11-20T15:00:02.000000', 30]);
});

test('a deleted alert rule is removed, and its removal is listed', async () => {
  const after = projection(alertRules).given(created, deleted);
  await after.thenNone('alert_rules');
  await after.then('removed_alert_rules', {
    ...gone,
    because: 'rule_deleted',
    removed_at: '2026-11-20T15:00:01.000000',
    changed_position: 20,
  });
});

test('when a deleted check is restored, its rule is shown again in the rule’s present state', async () => {
  const after = projection(alertRules).given(created, checkDeleted(check_id), disabled, restored(check_id));
  await after.then('alert_rules', {
    id: rule_id,
    organization_id,
    ...rule,
    enabled: false,
    muted_until: null,
    created_at: '2026-11-20T15:00:00.000000',
    updated_at: '2026-11-20T15:00:02.000000',
    changed_position: 40,
    revision: 2,
  });
  for (const collection of ['removed_alert_rules', 'hidden_alert_rules', 'deleted_checks'] as const) {
    await after.thenNone(collection);
  }
});

test('a rule that was deleted or moved to another check is not shown again when its former check is restored', async () => {
  await projection(alertRules)
    .given(created, checkDeleted(check_id), deleted, restored(check_id))
    .thenNone('alert_rules');
  const elsewhere = projection(alertRules).given(created, checkDeleted(check_id), moved, restored(check_id));
  assert.equal(
    (await elsewhere.documents('alert_rules')).map((one) => one.check_id),
    ['check0000002'],
  );
});

test('a rule that was created for a deleted check is shown when the check is restored', async () => {
  const after = projection(alertRules).given(checkDeleted(check_id), created, restored(check_id));
  assert.is((await after.documents('alert_rules')).length, 1);
});

test('a rule is removed with its check', async () => {
  const after = projection(alertRules).given(created, disabled, checkDeleted(check_id));
  await after.thenNone('alert_rules');
  await after.then('removed_alert_rules', {
    ...gone,
    because: 'check_deleted',
    removed_at: '2026-11-20T15:00:02.000000',
    changed_position: 30,
  });
});

test('the deletion of a check does not affect the rules of other checks', async () => {
  const after = projection(alertRules).given(created, moved, checkDeleted(check_id));
  await after.thenNone('removed_alert_rules');
});

test('a rule that is created for or moved to a check that was just deleted is not shown', async () => {
  await projection(alertRules).given(checkDeleted(check_id), created).thenNone('alert_rules');
  await projection(alertRules).given(checkDeleted('check0000002'), created, moved).thenNone('alert_rules');
});

test.run();
