import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../service.ts';

const test = suite('events of other resources in a history');
const START = Date.UTC(2026, 10, 20, 15);
const service = await startService({ now: START });
const { request, first, time } = service;
const key = first.keys.admin;
test.after(() => service.stop());

interface Event {
  at: string;
  type: string;
  action: string | null;
  changes: Record<string, { old: unknown; new: unknown }>;
}
interface Diff {
  existed: { from: boolean; to: boolean };
  changes: Event['changes'];
  events: Event[];
}

const now = (): string => new Date(time.now).toISOString();
const pass = (seconds: number): string => {
  time.now += seconds * 1_000;
  return now();
};
const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const reply = await request(method, path, { key, ...(body && { body }) });
  assert.ok(reply.status < 300, reply.text);
  return (reply.text === '' ? null : reply.json()) as T;
};
const create = async (path: string, body: object): Promise<string> =>
  (await send<{ id: string }>('POST', path, body)).id;
const get = <T>(path: string): Promise<T> => send<T>('GET', path);
const typesOf = (events: readonly Event[]): string[] => events.map(({ type }) => type);
const historyOf = async (path: string): Promise<Event[]> =>
  (await get<{ history: Event[] }>(`${path}/history`)).history;
const momentsOf = async (path: string): Promise<string[]> =>
  (await get<{ moments: string[] }>(`${path}/history/moments`)).moments;

/** Creates a page with a component in a group. */
const createPage = async () => {
  const pageId = await create('/v1/pages', { name: 'Shop' });
  const page = `/v1/pages/${pageId}`;
  const groupId = await create(`${page}/component-groups`, { name: 'Shop' });
  const componentId = await create(`${page}/components`, { name: 'Checkout', group_id: groupId });
  return {
    page,
    componentId,
    component: `${page}/components/${componentId}`,
    group: `${page}/component-groups/${groupId}`,
  };
};
const open = async (page: string, components: object): Promise<string> =>
  `${page}/incidents/${await create(`${page}/incidents`, {
    name: 'Payments fail',
    body: 'We are looking into it.',
    status: 'investigating',
    components,
  })}`;
const firstUpdateOf = async (incident: string): Promise<string> => {
  const { incident_updates } = await get<{ incident_updates: { id: string }[] }>(incident);
  return `${incident}/incident_updates/${incident_updates.at(-1)?.id ?? ''}`;
};

test('the history of the first update of an incident begins with the event that opened the incident', async () => {
  const { page, componentId } = await createPage();
  const update = await firstUpdateOf(await open(page, { [componentId]: 'major_outage' }));
  const [opened] = await historyOf(update);
  assert.is(opened?.type, 'IncidentOpened');
  assert.equal(opened?.changes['body'], { old: null, new: 'We are looking into it.' });
  assert.equal(opened?.changes['status'], { old: null, new: 'investigating' });
  assert.equal(opened?.changes['components'], { old: null, new: { [componentId]: 'major_outage' } });
  assert.not.ok(opened?.changes['name']);
  assert.is((await momentsOf(update)).length, 1);
  pass(60);
  await send('PATCH', update, { body: 'Fixed soon.' });
  assert.equal(typesOf(await historyOf(update)), ['IncidentUpdateEdited', 'IncidentOpened']);
});

test('the history of an update ends with the deletion of its incident', async () => {
  const { page } = await createPage();
  const incident = await open(page, {});
  const update = await firstUpdateOf(incident);
  pass(60);
  await send('DELETE', incident);
  assert.equal(typesOf(await historyOf(update)), ['IncidentDeleted', 'IncidentOpened']);
});

test('the history of each update of an incident that was logged later contains only the content of this update', async () => {
  const { page } = await createPage();
  const incident = `${page}/incidents/${await create(`${page}/incidents/log-past-incident`, {
    name: 'Yesterday',
    impact: 'minor',
    incident_updates: [
      { body: 'It failed.', status: 'investigating', components: {}, created_at: '2026-11-19T10:00:00Z' },
      { body: 'It works.', status: 'resolved', components: {}, created_at: '2026-11-19T11:00:00Z' },
    ],
  })}`;
  const { incident_updates: updates } = await get<{ incident_updates: { id: string; body: string }[] }>(incident);
  assert.is(updates.length, 2);
  for (const { id, body } of updates) {
    const [logged] = await historyOf(`${incident}/incident_updates/${id}`);
    assert.is(logged?.type, 'PastIncidentLogged');
    assert.equal(logged?.changes['body'], { old: null, new: body });
  }
});

test('the moments and differences of a component and of its group include the incidents that change its status', async () => {
  const { page, componentId, component, group } = await createPage();
  const before = pass(60);
  pass(60);
  const incident = await open(page, { [componentId]: 'major_outage' });
  const opened = now();
  pass(60);
  const other = await open(page, {});
  const unrelated = now();
  pass(60);
  await send('PATCH', incident, { status: 'resolved' });
  pass(60);
  await send('DELETE', incident);
  await send('DELETE', other);
  for (const path of [component, group]) {
    const moments = (await momentsOf(path)).map((moment) => moment.slice(0, 19));
    assert.ok(moments.includes(opened.slice(0, 19)), path);
    assert.not.ok(moments.includes(unrelated.slice(0, 19)), path);
    const diff = await get<Diff>(`${path}/history/diff?from=${before}&to=${opened}`);
    assert.equal(diff.changes['status'], { old: 'operational', new: 'major_outage' });
    assert.equal(typesOf(diff.events), ['IncidentOpened']);
  }
  assert.equal(typesOf((await get<Diff>(`${component}/history/diff?from=${unrelated}`)).events), [
    'IncidentStatusChanged',
    'IncidentDeleted',
  ]);
  assert.not.ok(typesOf(await historyOf(component)).includes('IncidentOpened'));
});

test('the deletion of a page ends the histories of its components and incidents', async () => {
  const { page, component, group } = await createPage();
  const incident = await open(page, {});
  const gone = await open(page, {});
  pass(60);
  await send('DELETE', gone);
  const before = pass(60);
  pass(60);
  await send('DELETE', page);
  pass(60);
  for (const path of [component, group, incident]) {
    assert.is((await historyOf(path))[0]?.action, 'page.deleted');
    const diff = await get<Diff>(`${path}/history/diff?from=${before}`);
    assert.equal(diff.existed, { from: true, to: false });
    assert.equal(typesOf(diff.events), ['PageDeleted']);
    assert.ok((await momentsOf(path)).some((moment) => moment > before));
  }
  assert.is((await historyOf(gone))[0]?.action, 'incident.deleted');
});

test('the differences of a check include the deletion of its group', async () => {
  const groupId = await create('/v1/check-groups', { name: 'Shop' });
  const check = `/v1/checks/${await create('/v1/checks', {
    type: 'web',
    name: 'Shop',
    url: 'http://127.0.0.1:9/',
    interval: 60,
    group_id: groupId,
  })}`;
  const before = pass(60);
  pass(60);
  await send('DELETE', `/v1/check-groups/${groupId}`);
  const diff = await get<Diff>(`${check}/history/diff?from=${before}`);
  assert.equal(diff.changes['group_id'], { old: groupId, new: null });
  assert.ok(typesOf(diff.events).includes('CheckGroupDeleted'));
});

test('a postmortem has a history', async () => {
  const { page } = await createPage();
  const incident = await open(page, {});
  await send('PUT', `${incident}/postmortem`, { body_draft: 'It broke.' });
  assert.equal(typesOf(await historyOf(`${incident}/postmortem`)), ['PostmortemDrafted']);
});

test.run();
