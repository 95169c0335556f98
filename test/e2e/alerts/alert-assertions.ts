import * as assert from 'uvu/assert';
import { uptrail, type RunningProgram } from '../program.ts';
import {
  alertsOf,
  RECEIVERS,
  waitUntil,
  type ReceivedMessage,
  type Receivers,
  type ShownAlert,
} from './alert-fixture.ts';

const EVENTS: readonly ReceivedMessage['event'][] = ['alert.fired', 'alert.resolved'];

const eventsOf = (alerts: readonly ShownAlert[]) => alerts.flatMap(({ id }) => EVENTS.map((event) => ({ id, event })));

/**
 * Waits until a rule has no active alert, and all receivers have every message.
 *
 * @returns the alerts of the rule, newest first
 */
export const waitUntilAllEnded = async (
  program: RunningProgram,
  rule: string,
  receivers: Receivers,
): Promise<ShownAlert[]> => {
  await waitUntil(
    'the end of all alerts',
    () => alertsOf(program, rule, 'active'),
    (active) => active.length === 0,
  );
  const alerts = await alertsOf(program, rule);
  const missed = () =>
    eventsOf(alerts).flatMap(({ id, event }) => {
      const messages = receivers.ofAlert(id, event);
      return RECEIVERS.filter((by) => messages.get(by)?.length === 0).map((by) => `${by}: ${event} ${id}`);
    });
  await waitUntil('every message', missed, (still) => still.length === 0);
  return alerts;
};

/** Asserts that repetitions of a message have the same id, and that every message belongs to an existing alert. */
export const assertNotifiedOnce = (receivers: Receivers, alerts: readonly ShownAlert[]): void => {
  const wanted = eventsOf(alerts);
  for (const { id, event } of wanted) {
    for (const [by, messages] of receivers.ofAlert(id, event)) {
      assert.is(new Set(messages.map((message) => message.id)).size, 1, `${by}: ${event} ${id}`);
    }
  }
  assert.is(new Set(receivers.received.map(({ alert }) => alert)).size, alerts.length);
  const hooks = receivers.received.filter(({ by }) => by === 'webhook').map(({ id }) => id);
  assert.is(new Set(hooks).size, wanted.length);
  assert.equal(receivers.wrong, []);
  // The message that an alert has fired arrives before the message that the alert is resolved.
  for (const { id } of alerts) {
    for (const by of RECEIVERS) {
      const [first] = receivers.received.filter((one) => one.alert === id && one.by === by);
      assert.is(first?.event, 'alert.fired', `${by} ${id}`);
    }
  }
};

interface Stored {
  type: string;
  data: { alert_id: string; number?: number };
}

/** Asserts that the main log contains only these alerts, and that each was resolved before the next one fired. */
export const assertOneAtATime = async (
  environment: Record<string, string>,
  alerts: readonly ShownAlert[],
): Promise<void> => {
  const replayed = await uptrail(environment, 'replay', '--log', 'main', '--type', 'AlertFired', 'AlertResolved');
  const stored = replayed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Stored);
  assert.equal(
    stored.map(({ type, data }) => `${type} ${data.alert_id}`),
    alerts.toReversed().flatMap(({ id }) => [`AlertFired ${id}`, `AlertResolved ${id}`]),
  );
  const fired = stored.filter(({ type }) => type === 'AlertFired');
  assert.equal(
    fired.map(({ data }) => data.number),
    alerts.map((_, index) => index + 1),
  );
};
