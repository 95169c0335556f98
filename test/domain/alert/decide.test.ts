import { suite } from 'uvu';
import {
  acknowledgeAlert,
  fireAlert,
  resolveAlert,
  resolveAlertBecause,
  type AlertFiring,
} from '../../../domain/alert/decide.ts';
import { alertDecider, type Alert } from '../../../domain/alert/state.ts';
import { IllegalState, NotFound } from '../../../domain/errors.ts';
import { specification } from '../specification.ts';
import { acknowledged, at, closed, fired, firing, PERSON, resolved } from './examples.ts';

const alert = specification(alertDecider);
const test = suite('an alert');

const fire =
  (about: AlertFiring, previous: Alert | null, time = at('15:00:01')) =>
  (state: Alert) =>
    fireAlert(state, previous, about, time);
const acknowledge = (state: Alert) => acknowledgeAlert(state, PERSON, at('15:05:00'));
const close = (state: Alert) => resolveAlert(state, PERSON, at('15:10:01'));
const end = (state: Alert) => resolveAlertBecause(state, 'condition', at('15:10:01'));

test('an alert fires once', () => {
  alert
    .given()
    .when(fire(firing(1), null))
    .then(fired(1));
  alert
    .given(fired(1))
    .when(fire(firing(1), null))
    .thenNothing();
});

test('an alert fires only if the previous alert of its rule is resolved', () => {
  for (const history of [[], [fired(1)], [fired(1), acknowledged(1)]]) {
    const previous = alert.given(...history).state();
    alert
      .given()
      .when(fire(firing(2), previous))
      .thenNothing();
  }
  const previous = alert.given(fired(1), resolved(1, at('15:10:01'), 600)).state();
  alert
    .given()
    .when(fire(firing(2), previous, at('15:30:00')))
    .then(fired(2, at('15:30:00')));
});

test('an alert is acknowledged only while it is firing', () => {
  alert.given(fired()).when(acknowledge).then(acknowledged());
  const sentence = 'Only firing alerts can be acknowledged.';
  alert.given(fired(), acknowledged()).when(acknowledge).throws(IllegalState, sentence);
  alert
    .given(fired(), closed(1, at('15:04:00'), 239))
    .when(acknowledge)
    .throws(IllegalState, sentence);
  alert.given().when(acknowledge).throws(NotFound, 'There is no such alert.');
});

test('a person can close an alert, whether or not it is acknowledged, and its duration is recorded', () => {
  alert
    .given(fired())
    .when(close)
    .then(closed(1, at('15:10:01'), 600));
  alert
    .given(fired(), acknowledged())
    .when(close)
    .then(closed(1, at('15:10:01'), 600));
  const sentence = 'Only firing or acknowledged alerts can be resolved.';
  alert
    .given(fired(), resolved(1, at('15:04:00'), 239))
    .when(close)
    .throws(IllegalState, sentence);
  alert.given().when(close).throws(NotFound, 'There is no such alert.');
});

test('an alert is resolved automatically once, whether or not it is acknowledged', () => {
  alert
    .given(fired())
    .when(end)
    .then(resolved(1, at('15:10:01'), 600));
  alert
    .given(fired(), acknowledged())
    .when(end)
    .then(resolved(1, at('15:10:01'), 600));
  alert
    .given(fired(), closed(1, at('15:04:00'), 239))
    .when(end)
    .thenNothing();
  alert.given().when(end).thenNothing();
});

test('an alert has a duration of 0 if the clock was set back', () => {
  alert
    .given(fired(1, at('16:00:00')))
    .when(end)
    .then(resolved(1, at('15:10:01'), 0));
});

test.run();
