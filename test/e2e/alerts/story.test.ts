import * as assert from 'uvu/assert';
import { callApi, serve } from '../program.ts';
import { waitUntilNotifying } from '../subscribing.ts';
import {
  alertsOf,
  getJson,
  KEY,
  openTarget,
  RECEIVERS,
  runNow,
  createAlertFixture,
  waitUntil,
  type ShownAlert,
} from './alert-fixture.ts';
import { alertSuite } from './alert-suite.ts';

const { specify, run } = alertSuite('an alert from the outage to its end');

const eachHeard = (receivers: ReadonlyMap<string, readonly unknown[]>): boolean =>
  RECEIVERS.every((by) => (receivers.get(by)?.length ?? 0) > 0);

specify(
  'an alert fires once, notifies every channel, is acknowledged, and is resolved automatically with its duration',
  async (receivers, shared) => {
    // The program logs a warning when a check goes down. Without warnings, its log must be empty.
    const environment = { ...shared, LOG_LEVEL: 'error' };
    const target = await openTarget();
    const program = await serve(environment);
    await waitUntilNotifying(environment);
    const { page, component, check, rule } = await createAlertFixture(program, target, receivers);
    const componentStatus = async () =>
      (await getJson<{ status: string }>(program, `/v1/pages/${page}/components/${component}`)).status;

    await target.stop();
    await runNow(program, check);
    const [fired] = await waitUntil(
      'the alert',
      () => alertsOf(program, rule),
      (all) => all.length > 0,
    );
    assert.ok(fired);
    assert.equal([fired.status, fired.title, fired.resolution], ['firing', 'Shop is down', null]);
    await waitUntil('the messages about the alert', () => receivers.ofAlert(fired.id, 'alert.fired'), eachHeard);
    await waitUntil('the component status on the page', componentStatus, (status) => status === 'major_outage');
    const [result] = fired.trigger_results;
    const resultsThat = async (hasAlerts: boolean) => {
      const path = `/v1/checks/all-results?has_alerts=${hasAlerts}`;
      return (await getJson<{ results: { id: string; triggered_alerts: object[] }[] }>(program, path)).results;
    };
    const [alerted] = await waitUntil(
      'the result that triggered the alert',
      () => resultsThat(true),
      (found) => found.length > 0,
    );
    assert.ok(alerted);
    assert.is(alerted.id, result?.result_id);
    assert.equal(alerted.triggered_alerts, [{ id: fired.id, title: 'Shop is down' }]);
    const others = await resultsThat(false);
    assert.ok(others.length > 0);
    for (const { id, triggered_alerts } of others) {
      assert.is.not(id, alerted.id);
      assert.equal(triggered_alerts, []);
    }

    // No further messages are sent while the alert is active.
    await runNow(program, check);
    const acknowledged = await callApi(program, KEY, 'POST', `/v1/alerts/${fired.id}/acknowledge`);
    assert.is(acknowledged.status, 200, JSON.stringify(acknowledged.body));

    await target.start();
    await runNow(program, check);
    const path = `/v1/alerts/${fired.id}`;
    const resolved = await waitUntil(
      'the end of the alert',
      () => getJson<ShownAlert>(program, path),
      ({ status }) => status === 'resolved',
    );
    assert.equal([resolved.resolution, resolved.is_active], ['auto', false]);
    assert.equal(
      resolved.history.map(({ event }) => event),
      ['fired', 'acknowledged', 'resolved'],
    );
    const recoveries = await waitUntil(
      'the recovery messages',
      () => receivers.ofAlert(fired.id, 'alert.resolved'),
      eachHeard,
    );
    for (const [by, [message]] of recoveries) {
      const text = message?.text ?? '';
      if (by === 'webhook') assert.is((JSON.parse(text) as { alert: ShownAlert }).alert.duration, resolved.duration);
      else assert.match(text, /Duration: .*\d+ (second|minute)|after \d+ (second|minute)/, by);
    }
    await waitUntil(
      'the recovered component status on the page',
      componentStatus,
      (status) => status === 'operational',
    );

    const notifications = await waitUntil(
      'the notifications of the alert',
      () =>
        getJson<{ channel_type: string; notification_type: string; status: string }[]>(
          program,
          `${path}/notifications`,
        ),
      (all) => all.length === 2 * (RECEIVERS.length + 1) && all.every(({ status }) => status === 'sent'),
    );
    const types = notifications.map(({ channel_type, notification_type }) => `${channel_type} ${notification_type}`);
    for (const channel of ['webhook', 'telegram', 'max', 'slack', 'ntfy', 'statuspage', 'email']) {
      const expected = channel === 'email' ? 2 : 1;
      for (const what of ['alert_fired', 'alert_resolved']) {
        assert.is(types.filter((type) => type === `${channel} ${what}`).length, expected, `${channel} ${what}`);
      }
    }
    assert.is((await alertsOf(program, rule)).length, 1);
    // No process was killed, so no message was repeated.
    assert.is(receivers.received.length, 2 * RECEIVERS.length, JSON.stringify(receivers.received));
    assert.equal(receivers.wrong, []);
    const ended = await program.end('SIGTERM');
    assert.is(ended.code, 0);
    assert.is(ended.stderr, '');
  },
);

run();
