import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { alertIdOf } from '../../../domain/alert/identity.ts';
import { alertHolds } from '../../../projections/alert-holds/projection.ts';
import { at, fired, muteEnded, resolved, RULE } from '../../domain/alert/examples.ts';
import { componentHeld, componentReleased } from '../../domain/page/examples.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of components held by alerts');
const ALERT = alertIdOf(RULE, 1);
const held = componentHeld('api', ALERT, 'major_outage', at('15:00:02'));
const released = componentReleased('api', ALERT, at('15:10:02'));

test('an alert with channels is listed when it fires, and again when it is resolved', async () => {
  const given = projection(alertHolds).given(fired(1), held, resolved(1, at('15:10:00'), 599), released);
  const alert = await given.document('alert_holds', ALERT);
  assert.equal([alert?.fired_at, alert?.resolved_at, alert?.changed_position], [at('15:00:01'), at('15:10:00'), 30]);
  const [hold] = alert?.holds ?? [];
  assert.equal([hold?.component_id, hold?.held_at, hold?.released_at], ['api', at('15:00:02'), at('15:10:02')]);
});

test('an alert is listed again when the mutes of its rule and its check have ended', async () => {
  const alert = await projection(alertHolds)
    .given(fired(1), muteEnded(at('16:00:00')))
    .document('alert_holds', ALERT);
  assert.equal([alert?.changed_position, alert?.resolved_at], [20, null]);
});

test('an alert without channels is not listed, even if it holds components', () =>
  projection(alertHolds)
    .given(fired(1, at('15:00:01'), { channel_ids: [] }), resolved(1, at('15:10:00'), 599), held, released)
    .thenNone('alert_holds'));

test.run();

projectionRules(alertHolds, [fired(1), muteEnded(at('15:00:02')), held, resolved(1, at('15:10:00'), 599), released]);
