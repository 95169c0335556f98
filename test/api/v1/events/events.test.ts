import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually, within } from '../../../waiting.ts';
import { signInAs } from '../../users.ts';
import { startService, type Service } from '../../service.ts';
import { openEvents } from './stream.ts';

const test = suite('the event stream of an organization');

const create = async (service: Service, path: string, body: object, key?: string): Promise<string> => {
  const made = await service.request('POST', path, { body, ...(key !== undefined && { key }) });
  assert.ok(made.status < 300, made.text);
  return (made.json() as { id: string }).id;
};

const CHECK = { name: 'Shop', type: 'tcp', host: 'shop.example.com', port: 443, interval: 60 };

const serving = async (use: (service: Service) => Promise<void>, options: Parameters<typeof startService>[0] = {}) => {
  const service = await startService(options);
  try {
    await use(service);
  } finally {
    await service.stop();
  }
};

test('an event stream starts with its position, so that a client misses nothing if it reads all resources afterwards', () =>
  serving(async (service) => {
    const stream = await openEvents(service.port, service.first.keys.viewer);
    const ready = await stream.received('ready');
    assert.match(stream.text(), /^retry: \d{4}\n\nevent: ready\n/);
    assert.match(ready.id, /^[\w-]{22}$/);
    assert.is(stream.headers['cache-control'], 'no-store');
    assert.is(stream.headers['x-accel-buffering'], 'no');
  }));

test('an event stream sends changes with rows of checks, heartbeats and incidents', () =>
  serving(async (service) => {
    const stream = await openEvents(service.port, service.first.keys.viewer);
    await stream.received('ready');
    const check = await create(service, '/v1/checks', CHECK);
    const made = await stream.named('check', check);
    assert.is(made.change, 'created');
    const { checks } = (await service.request('GET', '/v1/checks/overview')).json() as { checks: unknown[] };
    assert.equal([made.row], checks);
    await service.request('PATCH', `/v1/checks/${check}`, { body: { name: 'Till' } });
    assert.is((await stream.named('check', check, 'changed')).row?.['name'], 'Till');
    await service.request('DELETE', `/v1/checks/${check}`);
    assert.is((await stream.named('check', check, 'deleted')).row, undefined);

    const heartbeat = await create(service, '/v1/heartbeats', { name: 'Backup', period_seconds: 3_600 });
    const { row } = await stream.named('heartbeat', heartbeat);
    assert.is(row?.['ping_url'], `/v1/heartbeats/${heartbeat}/ping`);

    const page = await create(service, '/v1/pages', { name: 'Acme', subdomain: 'acme' });
    assert.is((await stream.named('page', page)).row, undefined);
    const component = await create(service, `/v1/pages/${page}/components`, { name: 'Shop' });
    assert.is((await stream.named('component', component)).page_id, page);
    const incident = await create(service, `/v1/pages/${page}/incidents`, {
      name: 'Down',
      body: 'It is.',
      status: 'investigating',
      components: { [component]: 'major_outage' },
    });
    const opened = await stream.named('incident', incident);
    assert.is(opened.page_id, page);
    assert.is(opened.row?.['status'], 'investigating');
    assert.equal(opened.row?.['component_ids'], [component]);
    assert.not.match(stream.text(), 'It is.');
    await stream.named('component', component, 'changed');
    const update = { status: 'identified', body: 'Found.' };
    await create(service, `/v1/pages/${page}/incidents/${incident}/incident_updates`, update);
    await eventually(() => stream.changes().at(-1)?.row?.['status'] === 'identified');
  }));

test('an event stream asks its client to reload checks when their group is paused', () =>
  serving(async (service) => {
    const stream = await openEvents(service.port, service.first.keys.viewer);
    await stream.received('ready');
    const group = await create(service, '/v1/check-groups', { name: 'Shops' });
    await service.request('PATCH', `/v1/check-groups/${group}`, { body: { active: false } });
    await stream.named('check_group', group);
    assert.equal((await stream.received('reset')).data, { resources: ['check'] });
  }));

test('an event stream contains nothing of other organizations', () =>
  serving(async (service) => {
    const { first, second } = service;
    const [own, other] = [
      await openEvents(service.port, first.keys.viewer),
      await openEvents(service.port, second.keys.viewer),
    ];
    await Promise.all([own.received('ready'), other.received('ready')]);
    const theirs = await create(service, '/v1/checks', { ...CHECK, name: 'Theirs' }, second.keys.editor);
    const ours = await create(service, '/v1/checks', CHECK);
    await Promise.all([own.named('check', ours), other.named('check', theirs)]);
    assert.not.match(own.text(), theirs);
    assert.not.match(other.text(), ours);
  }));

test('an event stream contains only resources that the caller may read', () =>
  serving(async (service) => {
    const { keys } = service.first;
    const [viewer, admin] = [await openEvents(service.port, keys.viewer), await openEvents(service.port, keys.admin)];
    await Promise.all([viewer.received('ready'), admin.received('ready')]);
    const made = await service.request('POST', '/v1/api-keys', {
      body: { name: 'CI', role: 'viewer' },
      key: keys.admin,
    });
    const { id } = made.json() as { id: string };
    const check = await create(service, '/v1/checks', CHECK);
    await Promise.all([admin.named('api_key', id), admin.named('check', check), viewer.named('check', check)]);
    assert.not(viewer.changes().some(({ resource }) => resource === 'api_key'));
  }));

test('a reconnecting client gets the changes it missed, with current rows', () =>
  serving(async (service) => {
    const { viewer } = service.first.keys;
    const before = await openEvents(service.port, viewer);
    const { id: known } = await before.received('ready');
    before.leave();
    const check = await create(service, '/v1/checks', CHECK);
    const gone = await create(service, '/v1/checks', { ...CHECK, name: 'Gone' });
    await service.request('PATCH', `/v1/checks/${check}`, { body: { name: 'Till' } });
    await service.request('DELETE', `/v1/checks/${gone}`);
    for (const options of [{ since: known }, { path: `/v1/events?since=${known}` }]) {
      const stream = await openEvents(service.port, viewer, options);
      const ready = await stream.received('ready');
      const [change] = stream.messages();
      assert.is(change?.event, 'change');
      assert.is(change?.id, ready.id);
      const missed = stream.changes();
      assert.equal(
        missed.map(({ id, change }) => [id, change]),
        [
          [check, 'created'],
          [gone, 'deleted'],
        ],
      );
      assert.is(missed[0]?.row?.['name'], 'Till');
      stream.leave();
      const again = await openEvents(service.port, viewer, { since: ready.id });
      await again.received('ready');
      assert.is(again.messages().length, 1);
      again.leave();
    }
  }));

test('a client that reconnects with an invalid position, or with a position of another organization, must reload everything', () =>
  serving(async (service) => {
    const { first, second, port } = service;
    const theirs = await openEvents(port, second.keys.viewer);
    const { id } = await theirs.received('ready');
    for (const since of ['of-another-time', 'x'.repeat(22), id]) {
      const stream = await openEvents(port, first.keys.viewer, { since });
      await stream.received('ready');
      assert.equal(
        stream.messages().map(({ event, data }) => [event, data]),
        [
          ['reset', { resources: null }],
          ['ready', {}],
        ],
      );
    }
    const tooLong = await service.request('GET', `/v1/events?since=${'x'.repeat(101)}`);
    assert.is(tooLong.status, 400);
    assert.match(tooLong.text, 'since');
  }));

test('an event stream ends immediately when its session, key or role ends', () =>
  serving(async (service) => {
    const { first, port } = service;
    const { admin } = first.keys;
    const { token, userId, sessionId } = await signInAs(service, first.id, 'editor');
    const other = await openEvents(port, first.keys.viewer);
    const session = await openEvents(port, token);
    await Promise.all([session.received('ready'), other.received('ready')]);
    const path = `/v1/users/${userId}/sessions/${sessionId}`;
    assert.is((await service.request('DELETE', path, { key: token })).status, 204);
    await session.ended();

    const made = await service.request('POST', '/v1/api-keys', { body: { name: 'CI', role: 'viewer' }, key: admin });
    const { id, token: key } = made.json() as { id: string; token: string };
    const byKey = await openEvents(port, key);
    await byKey.received('ready');
    await service.request('DELETE', `/v1/api-keys/${id}`, { key: admin });
    await byKey.ended();

    const demoted = await signInAs(service, first.id, 'editor');
    const byRole = await openEvents(port, demoted.token);
    await byRole.received('ready');
    await service.request('PATCH', `/v1/users/${demoted.userId}`, { body: { role: 'billing' }, key: admin });
    await byRole.ended();
    assert.not(other.hasEnded());
  }));

test('event streams beyond the limit of a caller are refused', () =>
  serving(async (service) => {
    const { keys } = service.first;
    const streams = [];
    for (let count = 0; count < 50; count++) streams.push(await openEvents(service.port, keys.viewer));
    const refused = await service.request('GET', '/v1/events', { key: keys.viewer });
    assert.is(refused.status, 429);
    assert.is(refused.headers['retry-after'], '30');
    assert.match(refused.text, 'Too many streams of events are open for this user or API key.');
    await openEvents(service.port, keys.editor);
    streams[0]?.leave();
    await eventually(async () => (await service.request('GET', '/v1/events', { key: keys.viewer })).status === 200);
  }));

test('event streams beyond the limit of an organization or the process are refused', () =>
  serving(
    async (service) => {
      const { first, second, port } = service;
      await openEvents(port, first.keys.viewer);
      await openEvents(port, first.keys.editor, { from: '127.0.0.2' });
      const refused = await service.request('GET', '/v1/events', { key: first.keys.admin });
      assert.is(refused.status, 429);
      assert.match(refused.text, 'Too many streams of events of this organization are open.');
      await openEvents(port, second.keys.viewer);
      await openEvents(port, second.keys.editor, { from: '127.0.0.2' });
      const full = await service.request('GET', '/v1/events', { key: second.keys.admin });
      assert.is(full.status, 429);
    },
    { mostEventStreams: 4 },
  ));

test('event streams end when the service stops', async () => {
  const service = await startService();
  const stream = await openEvents(service.port, service.first.keys.viewer);
  await stream.received('ready');
  await within(10_000, service.stop(), 'the service stops');
  await stream.ended();
});

test.run();
