import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { alertIdOf } from '../../../domain/alert/identity.ts';
import { alerts } from '../../../projections/alerts/projection.ts';
import {
  acknowledged,
  at,
  CHECK,
  checkMuted,
  closed,
  conditionEnded,
  fired,
  muteEnded,
  ORGANIZATION,
  PERSON,
  resolved,
  RULE,
  ruleMuted,
} from '../../domain/alert/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

projectionRules(alerts, [
  fired(1),
  acknowledged(1),
  resolved(1, at('15:10:01'), 600),
  conditionEnded(1),
  checkMuted(at('15:35:00')),
  ruleMuted(at('15:36:00')),
  fired(2, at('15:30:00')),
  muteEnded(at('15:36:00'), 2),
  ruleMuted(null),
  fired(1, at('15:40:00'), { rule_id: null, check_id: null, check_name: null, check_type: null }),
]);

const test = suite('the read model of alerts');

const id = alertIdOf(RULE, 1);

test('a new alert contains the data of its event AlertFired, and is active', async () => {
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
      unannounced: false,
      changed_position: 10,
    });
});

test('an alert contains who acknowledged and closed it, and when', async () => {
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

test('the summary of a rule contains the newest alert of the rule', async () => {
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

test('channels are notified that an alert fired and was resolved, not that it was acknowledged', async () => {
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

test('the results that fired an alert are listed, even after the alert was resolved', async () => {
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

test('an alert without channels has no notice', async () => {
  await projection(alerts)
    .given(fired(1, at('15:00:01'), { channel_ids: [] }))
    .thenNone('alert_notices');
});

test('after a manual resolution, the read model stores that the condition has ended, until the next alert fires', async () => {
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

const noticesAfter = async (...facts: Fact[]): Promise<string[]> =>
  (
    await projection(alerts)
      .given(...facts)
      .documents('alert_notices')
  ).map(({ event, caused_at }) => `${event} ${caused_at.slice(11, 19)}`);

test('an alert that fired and was resolved while its check was muted has no notice', async () => {
  const muted = [checkMuted(at('16:00:00')), fired(1), resolved(1, at('15:10:01'), 600)];
  assert.equal(await noticesAfter(...muted), []);
  await projection(alerts)
    .given(...muted)
    .then('muted_alerts', []);
  await projection(alerts)
    .given(ruleMuted(at('16:00:00')), fired(1))
    .then('muted_alerts', [
      {
        id,
        organization_id: ORGANIZATION,
        rule_id: RULE,
        check_id: CHECK,
        rule_until: at('16:00:00'),
        check_until: null,
        due_at: at('16:00:00'),
        awaits: 'fired',
        changed_position: 20,
      },
    ]);
});

test('an alert that is still firing at the end of a mute has a notice at that time, and a second notice when the alert is resolved', async () => {
  const facts = [checkMuted(at('16:00:00')), fired(1), muteEnded(at('16:00:00'))];
  assert.equal(await noticesAfter(...facts), ['alert.fired 16:00:00']);
  assert.equal(await noticesAfter(...facts, resolved(1, at('16:10:00'), 4_000)), [
    'alert.fired 16:00:00',
    'alert.resolved 16:10:00',
  ]);
});

test('an alert that was acknowledged before its mute ended has no notice, not even of its resolution', async () => {
  const silent = [checkMuted(at('16:00:00')), fired(1), acknowledged(1), muteEnded(at('16:00:00'))];
  assert.equal(await noticesAfter(...silent, resolved(1, at('16:10:00'), 4_000)), []);
});

test('the resolution of an alert that fired before a mute is announced after the mute', async () => {
  const muted = [fired(1), ruleMuted(at('16:00:00')), resolved(1, at('15:10:01'), 600)];
  assert.equal(await noticesAfter(...muted), ['alert.fired 15:00:01']);
  assert.equal(await noticesAfter(...muted, muteEnded(at('16:00:00'))), [
    'alert.fired 15:00:01',
    'alert.resolved 16:00:00',
  ]);
});

test('an alert waits until the later of two mutes has ended, even if users change the end of either mute', async () => {
  const dueAfter = async (...facts: Fact[]): Promise<string | undefined> =>
    (
      await projection(alerts)
        .given(checkMuted(at('16:00:00')), fired(1), ...facts)
        .documents('muted_alerts')
    )[0]?.due_at;
  assert.is(await dueAfter(ruleMuted(at('17:00:00'))), at('17:00:00'));
  assert.is(await dueAfter(ruleMuted(at('15:30:00'))), at('16:00:00'));
  assert.is(await dueAfter(checkMuted(at('18:00:00'))), at('18:00:00'));
  assert.is(await dueAfter(ruleMuted(at('17:00:00')), ruleMuted(null)), at('16:00:00'));
  // Without the mute, the alert is due immediately.
  assert.ok(((await dueAfter(checkMuted(null))) ?? '') < at('15:30:00'));
  // The mute was extended before its former end was recorded.
  const lengthened = [checkMuted(at('16:00:00')), fired(1), checkMuted(at('18:00:00')), muteEnded(at('16:00:00'))];
  assert.equal(await noticesAfter(...lengthened), []);
  assert.equal(await noticesAfter(...lengthened, muteEnded(at('18:00:00'))), ['alert.fired 18:00:00']);
});

test('a mute that has ended does not hold back an alert', async () => {
  assert.equal(await noticesAfter(checkMuted(at('15:00:00')), fired(1)), ['alert.fired 15:00:01']);
});

test.run();
