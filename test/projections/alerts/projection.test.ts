import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { alertIdOf } from '../../../domain/alert/identity.ts';
import { alerts } from '../../../projections/alerts/projection.ts';
import {
  acknowledged,
  at,
  CHECK,
  closed,
  conditionEnded,
  fired,
  ORGANIZATION,
  PERSON,
  resolved,
  RULE,
} from '../../domain/alert/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

projectionRules(alerts, [
  fired(1),
  acknowledged(1),
  resolved(1, at('15:10:01'), 600),
  conditionEnded(1),
  fired(2, at('15:30:00')),
  fired(1, at('15:40:00'), { rule_id: null, check_id: null, check_name: null, check_type: null }),
]);

const test = suite('the read model of alerts');

const id = alertIdOf(RULE, 1);

test('has an alert as it fired', async () => {
  const { alert_id, ...data } = fired(1).data;
  await projection(alerts)
    .given(fired(1))
    .then('alerts', {
      id: alert_id,
      ...data,
      status: 'firing',
      is_active: true,
      acknowledged_at: null,
      acknowledged_by_id: null,
      resolved_at: null,
      resolved_by_id: null,
      resolution: null,
      because: null,
      duration: null,
      history: [{ event: 'fired', at: at('15:00:01'), user_id: null }],
      changed_position: 10,
    });
});

test('has its history: who acknowledged and closed it, and when', async () => {
  const alert = await projection(alerts)
    .given(fired(1), acknowledged(1), closed(1, at('15:10:01'), 600))
    .document('alerts', id);
  assert.is(alert?.status, 'resolved');
  assert.is(alert?.is_active, false);
  assert.is(alert?.duration, 600);
  assert.equal(alert?.history, [
    { event: 'fired', at: at('15:00:01'), user_id: null },
    { event: 'acknowledged', at: at('15:05:00'), user_id: PERSON },
    { event: 'resolved', at: at('15:10:01'), user_id: PERSON },
  ]);
});

test('has where a rule stands: its newest alert', async () => {
  await projection(alerts)
    .given(fired(1), resolved(1, at('15:10:01'), 600), fired(2, at('15:30:00')), acknowledged(2, at('15:31:00')))
    .then('alert_standings', [
      {
        id: RULE,
        organization_id: ORGANIZATION,
        check_id: CHECK,
        number: 2,
        alert_id: alertIdOf(RULE, 2),
        status: 'acknowledged',
        fired_at: at('15:30:00'),
        resolved_at: null,
        resolution: null,
        because: null,
        condition_ended: false,
        changed_position: 40,
      },
    ]);
});

test('tells channels that it fired and that it was resolved, not that it was acknowledged', async () => {
  const notices = await projection(alerts)
    .given(fired(1), acknowledged(1), resolved(1, at('15:10:01'), 600))
    .documents('alert_notices');
  assert.equal(
    notices.map(({ cause, event, caused_at, channel_ids, changed_position }) => [
      cause.id,
      event,
      caused_at,
      channel_ids,
      changed_position,
    ]),
    [
      [`${id}/fired`, 'alert.fired', at('15:00:01'), ['channel00001'], 10],
      [`${id}/resolved`, 'alert.resolved', at('15:10:01'), ['channel00001'], 30],
    ],
  );
});

test('lists the results that made it fire, also once it has been resolved', async () => {
  await projection(alerts)
    .given(fired(1), resolved(1, at('15:10:01'), 600))
    .then('raised_alerts', [
      {
        id,
        organization_id: ORGANIZATION,
        check_id: CHECK,
        title: 'API is down',
        fired_at: at('15:00:01'),
        results: [{ result_id: 'result000001', region: 'RU, Moscow' }],
        changed_position: 10,
      },
    ]);
});

test('tells nobody of an alert without channels', async () => {
  await projection(alerts)
    .given(fired(1, at('15:00:01'), { channel_ids: [] }))
    .thenNone('alert_notices');
});

test('notes that the condition of an alert ended after a person had resolved it, until the next alert fires', async () => {
  const ended = async (...facts: Fact[]): Promise<boolean | undefined> =>
    (
      await projection(alerts)
        .given(...facts)
        .document('alert_standings', RULE)
    )?.condition_ended;
  const before = [fired(1), closed(1, at('15:10:01'), 600)];
  assert.is(await ended(...before), false);
  assert.is(await ended(...before, conditionEnded(1)), true);
  assert.is(await ended(...before, fired(2, at('15:30:00')), conditionEnded(1)), false);
});

test.run();
