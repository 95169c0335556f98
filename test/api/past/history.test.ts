import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../service.ts';

const test = suite('the history of a resource');
const START = Date.UTC(2026, 10, 20, 15);
const service = await startService({ now: START });
const { request, first, second, time } = service;
const { admin, viewer } = first.keys;
test.after(() => service.stop());

interface Event {
  at: string;
  type: string;
  action: string | null;
  actor: { kind: string; name: string | null };
  ip_address: string | null;
  changes: Record<string, { old: unknown; new: unknown }>;
}

const pass = (seconds: number): string => {
  time.now += seconds * 1_000;
  return new Date(time.now).toISOString();
};
const create = async (path: string, body: object): Promise<string> => {
  const reply = await request('POST', path, { key: admin, body });
  assert.ok(reply.status < 300, reply.text);
  return (reply.json() as { id: string }).id;
};
const get = async <T>(path: string, key = admin, status = 200): Promise<T> => {
  const reply = await request('GET', path, { key });
  assert.is(reply.status, status, reply.text);
  return reply.json() as T;
};
const historyOf = async (path: string, key = admin): Promise<Event[]> =>
  (await get<{ history: Event[] }>(`${path}/history`, key)).history;

const page = `/v1/pages/${await create('/v1/pages', { name: 'Shop' })}`;
const component = `${page}/components/${await create(`${page}/components`, { name: 'Checkout' })}`;
pass(60);
const components = { [component.slice(-12)]: 'major_outage' };
const incident = `${page}/incidents/${await create(`${page}/incidents`, {
  name: 'Payments fail',
  body: 'We are looking into it.',
  status: 'investigating',
  components,
})}`;
const opened = pass(60);
pass(60);
await request('PATCH', incident, { key: admin, body: { name: 'Some payments fail' } });
await request('PATCH', component, { key: admin, body: { name: 'Payments' } });
pass(60);
const edited = new Date(time.now).toISOString();
pass(60);
await request('DELETE', incident, { key: admin });
const deleted = pass(60);

test('the history of a resource lists actions and actors, newest first, even after the deletion of the resource', async () => {
  const history = await historyOf(incident);
  assert.equal(
    history.map(({ action }) => action),
    ['incident.deleted', 'incident.updated', 'incident.created'],
  );
  assert.equal(history[1]?.changes, { name: { old: 'Payments fail', new: 'Some payments fail' } });
  assert.equal([history[1]?.actor.kind, history[1]?.actor.name], ['api_key', 'admin']);
});

test('the history of a resource shows client addresses only to callers who may read the audit log', async () => {
  assert.ok((await historyOf(incident)).every(({ ip_address }) => ip_address !== null));
  const shown = await historyOf(incident, viewer);
  assert.is(shown.length, 3);
  assert.ok(shown.every(({ ip_address }) => ip_address === null));
});

test('the history of a component contains only events of the component', async () => {
  assert.equal(
    (await historyOf(component)).map(({ action }) => action),
    ['component.updated', 'component.created'],
  );
});

test('the history of a resource has pages', async () => {
  const { history, pagination } = await get<{ history: Event[]; pagination: object }>(
    `${incident}/history?page=2&per_page=2`,
  );
  assert.equal(
    history.map(({ action }) => action),
    ['incident.created'],
  );
  assert.equal(pagination, { page: 2, per_page: 2, pages: 2, total: 3, has_next: false, has_prev: true });
});

test('the difference between two times contains changed fields and the events in between', async () => {
  const diff = await get<{ existed: object; changes: Event['changes']; events: Event[] }>(
    `${incident}/history/diff?from=${opened}&to=${edited}`,
  );
  assert.equal(diff.existed, { from: true, to: true });
  assert.equal(diff.changes['name'], { old: 'Payments fail', new: 'Some payments fail' });
  assert.equal(
    diff.events.map(({ action }) => action),
    ['incident.updated'],
  );
  const gone = await get<{ existed: object }>(`${incident}/history/diff?from=${edited}&to=${deleted}`);
  assert.equal(gone.existed, { from: true, to: false });
});

test('a difference whose start is after its end, or whose start is in the future, is 400', async () => {
  const { errors } = await get<{ errors: object }>(`${incident}/history/diff?from=${edited}&to=${opened}`, admin, 400);
  assert.equal(errors, { query: { from: ['Must not be later than to.'] } });
  await get(`${incident}/history/diff?from=2999-01-01`, admin, 400);
});

test('the moments of a resource are the times of its changes, and the moments of a page include changes of its incidents', async () => {
  const { moments } = await get<{ moments: string[] }>(`${incident}/history/moments`);
  assert.is(moments.length, 3);
  const ofPage = await get<{ moments: string[] }>(`${page}/history/moments`);
  assert.ok(moments.every((moment) => ofPage.moments.includes(moment)));
});

test('the history of a resource is not found by another organization or under another page', async () => {
  await get(`${incident}/history`, second.keys.admin, 404);
  await get(`${incident}/history/moments`, second.keys.admin, 404);
  const other = await create('/v1/pages', { name: 'Other' });
  await get(`/v1/pages/${other}/incidents/${incident.slice(-12)}/history`, admin, 404);
});

test.run();
