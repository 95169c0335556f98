import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deliveryIdOf } from '../../../../domain/delivery/events.ts';
import { HOUR_MS, instantOf, MINUTE_MS } from '../../../../domain/time.ts';
import { storeFiredAlert, resolveAutomatically, storeDeliveries } from '../../alerts.ts';
import { startService } from '../../service.ts';

const test = suite('/v1/alerts');
const NOW = Date.parse('2026-11-20T15:30:00Z');

const service = await startService({ now: NOW });
const { first, second, time } = service;
test.after(() => service.stop());
test.before.each(() => {
  time.now = NOW;
});

interface Alert {
  id: string;
  rule_id: string;
  status: string;
  is_active: boolean;
  duration: number;
  acknowledged_by_id: string | null;
  resolved_by_id: string | null;
  resolution: string | null;
  notification_count: number;
  last_notification_at: string | null;
  history: { event: string; at: string; user_id: string | null }[];
}

const get = async <T>(path: string): Promise<T> => {
  const reply = await service.request('GET', path);
  assert.is(reply.status, 200, reply.text);
  return reply.json() as T;
};
const read = (id: string) => get<Alert>(`/v1/alerts/${id}`);
const post = (path: string, key = first.keys.editor) => service.request('POST', path, { key });
const done = async (id: string, what: string): Promise<Alert> => {
  const reply = await post(`/v1/alerts/${id}/${what}`);
  assert.is(reply.status, 200, reply.text);
  return reply.json() as Alert;
};
const refused = async (id: string, what: string): Promise<string> => {
  const reply = await post(`/v1/alerts/${id}/${what}`);
  assert.is(reply.status, 400, reply.text);
  return (reply.json() as { message: string }).message;
};
const listed = async (search: string): Promise<string[]> =>
  (await get<{ alerts: Alert[] }>(`/v1/alerts?${search}`)).alerts.map(({ id }) => id);

test('the history of an alert begins with its firing, and the duration of an active alert grows until now', async () => {
  const alertId = await storeFiredAlert(service, first.id);
  time.now = NOW + 90_000;
  const { id, duration, is_active, status, history, notification_count, last_notification_at } = await read(alertId);
  assert.equal([id, duration, is_active, status], [alertId, 90, true, 'firing']);
  assert.equal(history, [{ event: 'fired', at: instantOf(NOW), user_id: null }]);
  assert.equal([notification_count, last_notification_at], [0, null]);
});

test('an editor acknowledges a firing alert, which stays active', async () => {
  const id = await storeFiredAlert(service, first.id);
  time.now = NOW + MINUTE_MS;
  const { status, is_active, acknowledged_by_id, history } = await done(id, 'acknowledge');
  assert.equal([status, is_active], ['acknowledged', true]);
  assert.is.not(acknowledged_by_id, null);
  assert.equal(history[1], { event: 'acknowledged', at: instantOf(NOW + MINUTE_MS), user_id: acknowledged_by_id });
  assert.is(await refused(id, 'acknowledge'), 'Only firing alerts can be acknowledged.');
});

test('an editor resolves an alert, acknowledged or not, which ends the duration of the alert', async () => {
  for (const before of [[], ['acknowledge']]) {
    time.now = NOW;
    const id = await storeFiredAlert(service, first.id);
    for (const what of before) await done(id, what);
    time.now = NOW + HOUR_MS;
    const { status, is_active, resolution, resolved_by_id, duration } = await done(id, 'resolve');
    assert.equal([status, is_active, resolution, duration], ['resolved', false, 'manual', 3_600]);
    assert.is.not(resolved_by_id, null);
    time.now = NOW + 2 * HOUR_MS;
    assert.is((await read(id)).duration, 3_600);
    assert.is(await refused(id, 'resolve'), 'Only firing or acknowledged alerts can be resolved.');
    assert.is(await refused(id, 'acknowledge'), 'Only firing alerts can be acknowledged.');
  }
});

test('viewers and billing cannot acknowledge or resolve an alert, and other organizations do not see it', async () => {
  const id = await storeFiredAlert(service, first.id);
  for (const what of ['acknowledge', 'resolve']) {
    assert.is((await post(`/v1/alerts/${id}/${what}`, first.keys.viewer)).status, 403);
    assert.is((await post(`/v1/alerts/${id}/${what}`, first.keys.billing)).status, 403);
    assert.is((await post(`/v1/alerts/${id}/${what}`, second.keys.admin)).status, 404);
  }
  assert.is((await service.request('GET', `/v1/alerts/${id}`, { key: first.keys.viewer })).status, 200);
  assert.is((await service.request('GET', `/v1/alerts/${id}`, { key: second.keys.editor })).status, 404);
});

test('the list of alerts is filtered by status, check, rule and severity, newest first', async () => {
  const check_id = 'checkoflists';
  const made: string[] = [];
  for (const [n, severity] of (['low', 'critical', 'high', 'high'] as const).entries()) {
    time.now = NOW + n * MINUTE_MS;
    made.push(await storeFiredAlert(service, first.id, { check_id, severity }));
  }
  const [resolved = '', acknowledged = '', firing = '', newest = ''] = made;
  const named = await storeFiredAlert(service, first.id, {
    title: 'Größe is down',
    check_name: 'Checkout',
    rule_name: 'Pager',
  });
  await resolveAutomatically(service, first.id, resolved);
  await done(acknowledged, 'acknowledge');
  const filter = `check_id=${check_id}`;
  assert.equal(await listed(filter), [newest, firing, acknowledged, resolved]);
  assert.equal(await listed(`${filter}&status=active`), [newest, firing, acknowledged]);
  assert.equal(await listed(`${filter}&status=firing`), [newest, firing]);
  assert.equal(await listed(`${filter}&status=acknowledged`), [acknowledged]);
  assert.equal(await listed(`${filter}&status=resolved`), [resolved]);
  assert.equal(await listed(`${filter}&severity=high`), [newest, firing]);
  assert.equal(await listed(`${filter}&severity=low&status=active`), []);
  assert.equal(await listed(`${filter}&per_page=1&page=2`), [firing]);
  assert.equal(await listed(`rule_id=${(await read(firing)).rule_id}`), [firing]);
  for (const q of ['größe', 'CHECKOUT', 'age']) assert.equal(await listed(`q=${encodeURIComponent(q)}`), [named], q);
  // An alert must match both filters, each in one of its alternatives.
  assert.equal(await listed('q=checkout&status=acknowledged,resolved'), []);
  assert.equal(await listed('q=checkout&status=firing,resolved'), [named]);
  assert.is((await service.request('GET', '/v1/alerts?status=open')).status, 400);
});

const receiving = (alertId: string, receiver_id: string) => {
  const cause = { kind: 'alert', id: `${alertId}/fired` };
  return { cause, receiver_id, delivery_id: deliveryIdOf(cause, receiver_id), organization_id: first.id };
};
const attempt = { number: 1, begun_at: instantOf(NOW), duration: 5, response_code: null };

test('an alert lists the notifications of its channels by recipient, and shows how many notifications were sent', async () => {
  const configuration = { recipients: ['ina@example.com', 'ole@example.com'] };
  const body = { name: 'Operators', type: 'email', configuration };
  const channel = (await service.request('POST', '/v1/alerts/channels', { body })).json() as { id?: string };
  const channel_id = channel.id ?? 'channel00001';
  const id = await storeFiredAlert(service, first.id, { channel_ids: [channel_id] });
  const [ina, ole] = [receiving(id, `${channel_id}/1`), receiving(id, `${channel_id}/2`)];
  await storeDeliveries(
    service,
    {
      type: 'DeliveriesPlanned',
      data: {
        organization_id: first.id,
        cause: ina.cause,
        caused_at: instantOf(NOW),
        series: null,
        priority: 'alert',
        about: null,
        not_after: instantOf(NOW + HOUR_MS),
        deliveries: [ina, ole].map(({ delivery_id, receiver_id }) => ({
          delivery_id,
          receiver_id,
          notifier: 'email',
          target: 'relay',
        })),
      },
    },
    { type: 'DeliverySucceeded', data: { ...ina, attempt } },
    {
      type: 'DeliveryAttemptFailed',
      data: {
        ...ole,
        attempt,
        reason: 'timeout',
        error_message: 'No answer came.',
        retry_at: instantOf(NOW + MINUTE_MS),
      },
    },
  );
  const path = `/v1/alerts/${id}/notifications`;
  const notifications = await get<Record<string, unknown>[]>(path);
  const of = {
    alert_id: id,
    channel_id,
    channel_name: channel.id === undefined ? null : 'Operators',
    channel_type: 'email',
    notification_type: 'alert_fired',
    retry_count: 0,
    created_at: instantOf(NOW),
  };
  const byId = (one: object) =>
    notifications.find(({ id: found }) => found === (one as { delivery_id: string }).delivery_id);
  assert.is(notifications.length, 2);
  const sent = { status: 'sent', error_message: null, sent_at: instantOf(NOW) };
  assert.equal(byId(ina), { id: ina.delivery_id, ...of, ...sent });
  const retrying = { status: 'retrying', error_message: 'No answer came.', sent_at: null };
  assert.equal(byId(ole), { id: ole.delivery_id, ...of, ...retrying });
  const { notification_count, last_notification_at } = await read(id);
  assert.equal([notification_count, last_notification_at], [1, instantOf(NOW)]);
  assert.is((await service.request('GET', path, { key: second.keys.admin })).status, 404);
});

test('statistics count active alerts by severity and alerts of the last day', async () => {
  const stats = async () => {
    const reply = await service.request('GET', '/v1/alerts/stats', { key: second.keys.viewer });
    return reply.json() as Record<string, unknown>;
  };
  const none = { low: 0, medium: 0, high: 0, critical: 0 };
  const nothing = { active_alerts: 0, recent_alerts: 0, total_rules: 0, total_channels: 0, severity_breakdown: none };
  assert.equal(await stats(), nothing);
  await storeFiredAlert(service, second.id, { severity: 'critical' });
  await resolveAutomatically(service, second.id, await storeFiredAlert(service, second.id, { severity: 'low' }));
  const severity_breakdown = { ...none, critical: 1 };
  assert.equal(await stats(), { ...nothing, active_alerts: 1, recent_alerts: 2, severity_breakdown });
  time.now = NOW + 24 * HOUR_MS;
  assert.equal(await stats(), { ...nothing, active_alerts: 1, severity_breakdown });
});

test('the audit log contains manual actions on an alert under the title of the alert, and no automatic actions', async () => {
  const id = await storeFiredAlert(service, first.id, { title: 'Audited is down' });
  await done(id, 'acknowledge');
  time.now = NOW + MINUTE_MS;
  await done(id, 'resolve');
  await resolveAutomatically(service, first.id, await storeFiredAlert(service, first.id));
  const reply = await service.request('GET', '/v1/audit?resource_type=alert&per_page=100', { key: first.keys.admin });
  const entries = (reply.json() as { audit_logs: Record<string, unknown>[] }).audit_logs;
  assert.equal(
    entries
      .filter(({ resource_id }) => resource_id === id)
      .map(({ action, resource_name, actor_type }) => [action, resource_name, actor_type]),
    [
      ['alert.resolved', 'Audited is down', 'api_key'],
      ['alert.acknowledged', 'Audited is down', 'api_key'],
    ],
  );
  assert.is(
    entries.find(({ actor_type }) => actor_type === 'system'),
    undefined,
  );
});

test.run();
