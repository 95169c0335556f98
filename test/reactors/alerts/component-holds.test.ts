import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { endAlertMute, fireAlert, resolveAlertBecause } from '../../../commands/alerts/alerts.ts';
import { createHandle, type Handle } from '../../../commands/engine/handle.ts';
import { alertIdOf } from '../../../domain/alert/identity.ts';
import {
  alertChannelDecider,
  createChannel,
  deleteChannel,
  updateChannel,
} from '../../../domain/alert-channel/alert-channel.ts';
import type { ComponentStatus } from '../../../domain/page/component-status.ts';
import { instantOf } from '../../../domain/time.ts';
import { findAlert } from '../../../queries/alerts/alerts.ts';
import { listAlertNotifications } from '../../../queries/alerts/notifications.ts';
import { ALERT_HOLDS } from '../../../reactors/alerts/component-holds.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { startService } from '../../api/service.ts';
import { createStatusPage } from '../../api/v1/pages/status-page.ts';
import { aContext } from '../../commands/simulated-processes.ts';
import { firing } from '../../domain/alert/examples.ts';
import { reactorsOf } from '../context.ts';
import { startReactor } from '../start-reactor.ts';
import { eventually } from '../../waiting.ts';

const test = suite('the reactor that shows alerts on pages');

const service = await startService({ now: Date.UTC(2026, 10, 20, 12) });
const { time, readers, statuses, stores, first, request } = service;
test.after(() => service.stop());

const handle: Handle = createHandle({ store: stores.main, clock: () => time.now });
const context = () => aContext({ organizationId: first.id, now: '2026-11-20T12:00:00.000000' });

const running = new Set<() => Promise<void>>();
test.after.each(async () => {
  for (const stop of running) await stop();
  running.clear();
});
const start = (coordination = createMemoryCoordination()): (() => Promise<void>) => {
  const stop = startReactor(reactorsOf({ handle, ...stores, readers, statuses }), ALERT_HOLDS, {
    coordination,
    clock: () => time.now,
    timings: { clockCheck: 5 },
    logged: [],
  });
  running.add(stop);
  return stop;
};

const scope = () => ({
  read: readers.for({ appended: new Map() }),
  organizationId: first.id,
  now: '2026-11-20T12:00:00.000000',
});

let made = 0;
const aPage = async () => {
  const page = await createStatusPage(service);
  const component = await page.addComponent('API');
  const rule = `rule${(made++).toString().padStart(8, '0')}`;
  return {
    ...page,
    page: page.id,
    id: component,
    rule,
    /** Stores a channel that shows alerts on the component. */
    channel: async (component_status: ComponentStatus, component_id = component): Promise<string> => {
      const id = `channel${(made++).toString().padStart(5, '0')}`;
      const configuration = { page_id: page.id, component_id, component_status };
      const channel = { name: 'Page', type: 'statuspage', configuration, enabled: true } as const;
      const data = { channel_id: id, organization_id: first.id, channel };
      await handle(id, alertChannelDecider, (before) => createChannel(before, data), context());
      return id;
    },
    /** Fires the first alert of one of the page's rules. */
    fire: async (number: number, ...channel_ids: string[]): Promise<string> => {
      const rule_id = `${rule}-${number}`;
      await fireAlert({ handle })(firing(1, { organization_id: first.id, rule_id, channel_ids }), context());
      return alertIdOf(rule_id, 1);
    },
    resolve: (alert: string) => resolveAlertBecause({ handle })(alert, 'condition', context()),
    status: async (): Promise<ComponentStatus> => (await page.component(component)).status,
    /** Waits until the component shows this status. */
    shows: async (status: ComponentStatus): Promise<void> => {
      await eventually(async () => (await page.component(component)).status === status);
    },
    told: async (alert: string): Promise<string[]> => {
      const all = await listAlertNotifications(scope(), await findAlert(scope(), alert));
      return all.map((one) => [one.notification_type, one.status, one.error_message].filter(Boolean).join(' '));
    },
    count: async (alert: string): Promise<number> => (await findAlert(scope(), alert)).notification_count,
  };
};

const GONE = 'alert_fired failed The component of the status page no longer exists.';

test('an active alert sets the components of its channels, and releases them when it is resolved', async () => {
  const page = await aPage();
  start();
  const alert = await page.fire(1, await page.channel('major_outage'));
  await page.shows('major_outage');
  assert.equal(await page.told(alert), ['alert_fired sent']);
  await page.resolve(alert);
  await page.shows('operational');
  await eventually(async () => (await page.told(alert))[1] === 'alert_resolved sent');
});

test('a component still shows an alert after the channel of the alert was disabled', async () => {
  const page = await aPage();
  start();
  const channel = await page.channel('major_outage');
  const alert = await page.fire(1, channel);
  await page.shows('major_outage');
  await handle(channel, alertChannelDecider, (before) => updateChannel(before, { enabled: false }), context());
  await page.resolve(alert);
  await page.shows('operational');
  await eventually(async () => (await page.told(alert)).length >= 2);
  assert.equal(await page.told(alert), ['alert_fired sent', 'alert_resolved sent']);
  assert.is(await page.count(alert), 2);
});

test('a component still shows an alert after the channel of the alert was set to another component', async () => {
  const page = await aPage();
  start();
  const channel = await page.channel('major_outage');
  const alert = await page.fire(1, channel);
  await page.shows('major_outage');
  const configuration = {
    page_id: page.page,
    component_id: await page.addComponent('Web'),
    component_status: 'major_outage',
  } as const;
  time.now += 1_000;
  await handle(channel, alertChannelDecider, (before) => updateChannel(before, { configuration }), context());
  await page.resolve(alert);
  await page.shows('operational');
  await eventually(async () => (await page.told(alert)).length >= 2);
  assert.equal(await page.told(alert), ['alert_fired sent', 'alert_resolved sent']);
});

test('a component shows the worst status among its alerts and channels, until all its alerts have ended', async () => {
  const page = await aPage();
  start();
  const [bad, worse] = [await page.channel('degraded_performance'), await page.channel('partial_outage')];
  const one = await page.fire(1, bad, worse);
  await page.shows('partial_outage');
  const two = await page.fire(2, await page.channel('major_outage'));
  await page.shows('major_outage');
  await page.resolve(two);
  await page.shows('partial_outage');
  await page.resolve(one);
  await page.shows('operational');
});

test('a status set by a user stays in effect during and after an alert', async () => {
  const page = await aPage();
  start();
  const alert = await page.fire(1, await page.channel('major_outage'));
  await page.shows('major_outage');
  await page.set(page.id, 'degraded_performance');
  assert.is(await page.status(), 'degraded_performance');
  await page.resolve(alert);
  await eventually(async () => (await page.told(alert))[1] === 'alert_resolved sent');
  assert.is(await page.status(), 'degraded_performance');
});

test('an alert that was resolved before it could set its component does not set it afterwards', async () => {
  const page = await aPage();
  const alert = await page.fire(1, await page.channel('major_outage'));
  await page.resolve(alert);
  start();
  const later = await page.fire(2, await page.channel('partial_outage'));
  await page.shows('partial_outage');
  assert.equal(await page.told(alert), ['alert_fired failed The alert was resolved before it could be shown.']);
  await page.resolve(later);
});

test('a deleted component shows no alert, and a deleted channel still releases its component', async () => {
  const page = await aPage();
  start();
  const channel = await page.channel('major_outage');
  const gone = await page.addComponent('Web');
  await request('DELETE', `${page.path}/components/${gone}`);
  const none = await page.fire(1, await page.channel('major_outage', gone));
  const alert = await page.fire(2, channel);
  await page.shows('major_outage');
  await handle(channel, alertChannelDecider, (before) => deleteChannel(before), context());
  await page.resolve(alert);
  await page.shows('operational');
  assert.equal(await page.told(none), [GONE]);
});

test('a deleted page shows no alert, and the list of the reactor contains no failed item for the page', async () => {
  const page = await aPage();
  start();
  const channel = await page.channel('major_outage');
  const alert = await page.fire(1, channel);
  await page.shows('major_outage');
  await request('DELETE', page.path);
  await page.resolve(alert);
  await eventually(async () => (await page.told(alert)).length >= 2);
  assert.equal(await page.told(alert), ['alert_fired sent', 'alert_resolved sent']);
  const next = await page.fire(2, channel);
  await eventually(async () => (await page.told(next).catch(() => [])).length > 0);
  assert.equal(await page.told(next), [GONE]);
});

test('a reactor that restarts without its checkpoint changes no component twice', async () => {
  const page = await aPage();
  const stop = start();
  await page.fire(1, await page.channel('major_outage'));
  await page.shows('major_outage');
  await stop();
  await page.set(page.id, 'operational');
  start();
  const other = await page.fire(2, await page.channel('partial_outage'));
  await page.shows('partial_outage');
  await page.resolve(other);
  await page.shows('operational');
});

test('an alert that fires while its check is muted sets no component before the mute ends', async () => {
  const page = await aPage();
  start();
  const check = { name: 'API', type: 'web', url: 'http://127.0.0.1:9/', interval: 60, active: false };
  const muted_until = new Date(time.now + 3_600_000).toISOString();
  const made = await request('POST', '/v1/checks', { body: { ...check, muted_until } });
  const { id: check_id } = made.json() as { id: string };
  const channel_ids = [await page.channel('major_outage')];
  const rule_id = `${page.rule}-muted`;
  const about = { organization_id: first.id, rule_id, channel_ids, check_id };
  await fireAlert({ handle })(firing(1, about), context());
  const alert = alertIdOf(rule_id, 1);
  // Items are handled in order. When the component shows the next alert, the reactor has also handled the muted alert.
  const other = await aPage();
  await other.fire(1, await other.channel('partial_outage'));
  await other.shows('partial_outage');
  assert.is(await page.status(), 'operational');
  assert.equal(await page.told(alert), []);
  await endAlertMute({ handle })(alert, aContext({ organizationId: first.id, now: instantOf(time.now + 3_600_000) }));
  await page.shows('major_outage');
  assert.equal(await page.told(alert), ['alert_fired sent']);
});

test.run();
