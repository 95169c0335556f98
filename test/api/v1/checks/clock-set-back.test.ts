import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../service.ts';
import { HOUR_MS } from '../../../../domain/time.ts';

const test = suite('writes after the clock was set back');

const NOW = Date.parse('2026-11-20T15:30:00Z');
const service = await startService({ now: NOW });
test.after(() => service.stop());
test.before.each(() => {
  service.time.now = NOW;
});

type Json = Record<string, unknown>;

const call = async (method: string, path: string, body?: object): Promise<Json> => {
  const reply = await service.request(method, path, body ? { body } : {});
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`);
  return reply.json() as Json;
};

const component = async (): Promise<{ page: string; id: string; status: () => Promise<unknown> }> => {
  const page = String((await call('POST', '/v1/pages', { name: 'Shop', subdomain: `shop-${pages++}` }))['id']);
  const id = String((await call('POST', `/v1/pages/${page}/components`, { name: 'Checkout' }))['id']);
  return { page, id, status: async () => (await call('GET', `/v1/pages/${page}/components/${id}`))['status'] };
};
let pages = 0;

test('a change of a component sets its status although the clock was set back', async () => {
  const { page, id, status } = await component();
  await call('PATCH', `/v1/pages/${page}/components/${id}`, { status: 'major_outage' });
  service.time.now = NOW - 2 * HOUR_MS;
  await call('PATCH', `/v1/pages/${page}/components/${id}`, { status: 'operational' });
  assert.is(await status(), 'operational');
});

test('an incident, an incident update and a change of an incident set component statuses although the clock was set back', async () => {
  const { page, id, status } = await component();
  await call('PATCH', `/v1/pages/${page}/components/${id}`, { status: 'degraded_performance' });
  service.time.now = NOW - 48 * HOUR_MS;
  const opened = await call('POST', `/v1/pages/${page}/incidents`, {
    name: 'No orders',
    status: 'investigating',
    body: 'We look into it.',
    components: { [id]: 'major_outage' },
  });
  assert.is(await status(), 'major_outage');
  const path = `/v1/pages/${page}/incidents/${String(opened['id'])}`;
  await call('POST', `${path}/incident_updates`, {
    status: 'identified',
    body: 'Found.',
    components: { [id]: 'partial_outage' },
  });
  assert.is(await status(), 'partial_outage');
  await call('PATCH', path, { status: 'resolved', components: { [id]: 'operational' } });
  assert.is(await status(), 'operational');
  assert.equal(await call('GET', `/v1/pages/${page}/incidents/unresolved`), []);
});

test('an incident overrides a component status set by another incident although the clock was set back', async () => {
  const { page, id, status } = await component();
  const incident = (name: string, components: object) =>
    call('POST', `/v1/pages/${page}/incidents`, {
      name,
      status: 'investigating',
      body: 'We look into it.',
      components,
    });
  await incident('First', { [id]: 'major_outage' });
  service.time.now = NOW - HOUR_MS;
  await incident('Second', { [id]: 'degraded_performance' });
  assert.is(await status(), 'degraded_performance');
});

test('a write that sets no component status is recorded with the time of the clock that was set back', async () => {
  const { page } = await component();
  service.time.now = NOW - 48 * HOUR_MS;
  const { created_at } = await call('POST', `/v1/pages/${page}/components`, { name: 'Other' });
  assert.is(created_at, '2026-11-18T15:30:00.000000');
});

test.run();
