import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { importHistory } from '../../../cli/import-from/history/import-history.ts';
import type { ImportedIncident } from '../../../cli/import-from/imported.ts';
import { planHistory } from '../../../cli/import-from/history/plan-history.ts';
import { read } from '../../../cli/import-from/statuspage/source.ts';
import type { Fields } from '../../../domain/fields.ts';
import { DAY_MS, HOUR_MS, instantOf } from '../../../domain/time.ts';
import { startService } from '../../api/service.ts';
import { recordingClient, createObjects } from './service-client.ts';
import { asFiles, statuspageExport, type Later } from './statuspage/sample.ts';

const test = suite('an import of history');
const NOW = Date.UTC(2026, 10, 20, 12);
const service = await startService({ now: NOW });
test.after(() => service.stop());

let pages = 0;

/** Imports the sample into a page of its own. */
const importing = async () => {
  pages += 1;
  const name = `Acme ${pages}`;
  const client = recordingClient(service.request, service.first.keys.admin);
  const imported = (later: Later = {}) => {
    const content = statuspageExport(NOW, later);
    return read(asFiles({ ...content, page: { ...content.page, name, subdomain: `acme-${pages}` } }));
  };
  await createObjects(client, imported().configuration);
  const list = (await client.get('/v1/pages?page_size=100')) as { pages: { id: string; name: string }[] };
  const path = `/v1/pages/${list.pages.find((one) => one.name === name)?.id ?? ''}`;
  const run = async (later: Later = {}, dryRun = false, minutes = 0) => {
    service.time.now = NOW + minutes * 60_000;
    client.written.length = 0;
    return importHistory(client, imported(later), { now: instantOf(service.time.now), dryRun });
  };
  const json = async <T = Fields[]>(below: string): Promise<T> => (await client.get(`${path}${below}`)) as T;
  return { client, path, run, json };
};

const ALL = '/incidents/maintenance?status=scheduled,in_progress,verifying,completed';

test('incidents and maintenances get their original times, texts and component statuses', async () => {
  const { run, json } = await importing();
  const report = await run();
  assert.equal(report, {
    incidents: { created: 4, updated: 0, unchanged: 0 },
    subscribers: { added: 2, unchanged: 0 },
    statuses: 1,
    problems: [],
    remarks: [],
  });
  const [open, past] = await json('/incidents');
  assert.ok(open && past);
  assert.is(past['name'], 'Slow API');
  assert.is(past['created_at'], instantOf(NOW - 30 * DAY_MS));
  assert.is(past['resolved_at'], instantOf(NOW - 30 * DAY_MS + 2 * HOUR_MS));
  assert.is(past['postmortem_body'], 'A disk was full.');
  assert.equal(past['metadata'], { ticket: 'A-1', imported_from: 'statuspage:i1' });
  assert.is(open['status'], 'identified');
  assert.is(open['created_at'], instantOf(NOW - 3 * HOUR_MS));
  assert.equal(
    (open['incident_updates'] as Fields[]).map(({ created_at, deliver_notifications }) => [
      created_at,
      deliver_notifications,
    ]),
    [
      [instantOf(NOW - 2 * HOUR_MS), false],
      [instantOf(NOW - 3 * HOUR_MS), false],
    ],
  );
  const [planned, done] = await json(ALL);
  assert.ok(done);
  assert.is(done['status'], 'completed');
  assert.is(done['resolved_at'], instantOf(NOW - 10 * DAY_MS + HOUR_MS));
  assert.is(done['created_at'], instantOf(NOW - 12 * DAY_MS));
  assert.is(done['scheduled_auto_completed'], false);
  assert.ok(planned);
  assert.is(planned['status'], 'scheduled');
  assert.is(planned['scheduled_auto_in_progress'], true);
  assert.is(planned['auto_transition_deliver_notifications_at_end'], true);
  assert.equal(
    (await json('/components'))
      .filter(({ group }) => group === false)
      .map(({ status }) => status)
      .sort(),
    ['major_outage', 'operational', 'operational'],
  );
});

test('an import that is repeated changes nothing', async () => {
  const { client, run } = await importing();
  await run();
  const report = await run({}, false, 5);
  assert.equal(report.incidents, { created: 0, updated: 0, unchanged: 4 });
  assert.equal(report.subscribers, { added: 0, unchanged: 2 });
  assert.equal(
    client.written.filter((change) => !change.endsWith('/subscribers/import')),
    [],
  );
});

test('a later import adds what is new and edits what has changed', async () => {
  const { run, json } = await importing();
  await run();
  const report = await run({ resolved: true, edited: true }, false, 5);
  assert.equal(report.incidents, { created: 0, updated: 2, unchanged: 2 });
  assert.equal(report.problems, []);
  const [closed, past] = await json('/incidents');
  assert.ok(closed);
  assert.is(closed['status'], 'resolved');
  assert.is(closed['resolved_at'], instantOf(NOW - 60_000));
  assert.is((past?.['incident_updates'] as Fields[]).at(-1)?.['body'], 'The API is slow in the EU.');
  assert.equal(
    (await json('/components')).map(({ status }) => status).filter((status) => status !== 'operational'),
    [],
  );
  assert.is((await run({ resolved: true, edited: true }, false, 6)).incidents.unchanged, 4);
});

test('an incident without the metadata of an import is found by its name and its first time', async () => {
  const { client, path, run, json } = await importing();
  await run();
  const [, past] = await json('/incidents');
  await client.write('PUT', `${path}/incidents/${String(past?.['id'])}`, { metadata: null });
  assert.equal((await run()).incidents, { created: 0, updated: 1, unchanged: 3 });
  assert.is((await json('/incidents')).length, 2);
});

test('an update that was written here stays', async () => {
  const { client, path, run, json } = await importing();
  await run();
  const [open] = await json('/incidents');
  const updates = `${path}/incidents/${String(open?.['id'])}/incident_updates`;
  await client.write('POST', updates, { status: 'monitoring', body: 'We watch it.', deliver_notifications: false });
  assert.is((await run()).incidents.unchanged, 4);
  assert.is((await json('/incidents'))[0]?.['status'], 'monitoring');
});

test('a dry run reports what would be done and changes nothing', async () => {
  const { client, run, json } = await importing();
  const report = await run({}, true);
  assert.equal(report.incidents, { created: 4, updated: 0, unchanged: 0 });
  assert.is(report.subscribers.added, 2);
  assert.equal(client.written, []);
  assert.equal(await json('/incidents'), []);
});

test('an incident that the service refuses is reported, and others are imported', async () => {
  const { client } = await importing();
  const page = `Acme ${pages}`;
  const update = { status: 'resolved', body: 'Over.', created_at: instantOf(NOW - HOUR_MS), components: [] };
  const incident = (name: string, component?: string) => ({
    page,
    source_id: `test:${name}`,
    kind: 'incident' as const,
    name,
    impact: 'none',
    updates: [{ ...update, components: component === undefined ? [] : [{ component, status: 'operational' }] }],
  });
  const incidents = [incident('One', 'No such'), incident('Two'), { ...incident('Three'), impact: 'huge' }];
  const report = await importHistory(client, { incidents }, { now: instantOf(NOW) });
  assert.is(report.incidents.created, 1);
  const sentences = report.problems.map(({ name, sentence }) => `${name}: ${sentence}`);
  assert.match(sentences[0] ?? '', /^One: The page "Acme \d+" has no component named "No such"/);
  assert.match(sentences[1] ?? '', /^Three: impact: Must be/);
});

test('a status is not set by hand if webhooks would be notified of it', async () => {
  const { client, path, run } = await importing();
  await run();
  const webhook = { mode: 'webhook', endpoint: 'https://hooks.example.com/a' };
  await client.write('POST', `${path}/subscribers`, webhook);
  const [component] = (await client.get(`${path}/components`)) as Fields[];
  await client.write('PUT', `${path}/components/${String(component?.['id'])}`, { status: 'partial_outage' });
  const report = await run();
  assert.is(report.statuses, 0);
  assert.match(report.remarks.join(' '), /the webhooks of the page will be notified/);
});

test('subscribers with and without components are added without a confirmation', async () => {
  const { run, json } = await importing();
  await run();
  const subscribers = await json('/subscribers');
  assert.equal(
    subscribers
      .map(({ email, is_verified, has_pending_verification: pending }) => [email, is_verified, pending])
      .sort(),
    [
      ['i***@example.com', true, false],
      ['i***@example.com', true, false],
    ],
  );
  const components = await json('/components');
  const group = components.find(({ name }) => name === 'US');
  const api = components.find(({ name, group_id }) => name === 'API' && group_id === group?.['id']);
  assert.ok(group && api);
  assert.equal(
    subscribers.map(({ component_ids }) => component_ids).filter((ids) => ids !== null),
    [[api['id']]],
  );
});

test('a component that a check watches keeps its status', async () => {
  const { client, path, run, json } = await importing();
  const check = { name: 'Site', type: 'web', url: 'http://127.0.0.1:9/', interval: 60, active: false };
  const { id: check_id } = (await client.write('POST', '/v1/checks', check)) as { id: string };
  const website = async () => (await json('/components')).find(({ name }) => name === 'Website');
  await client.write('PUT', `${path}/components/${String((await website())?.['id'])}`, { check_id });
  const report = await run();
  assert.is(report.statuses, 0);
  assert.equal(report.remarks, []);
  assert.is((await website())?.['status'], 'operational');
});

test('a plan counts what an import does, and after it what it did', async () => {
  const { client } = await importing();
  const content = statuspageExport(NOW);
  const name = `Acme ${pages}`;
  const plan = await planHistory(client, read(asFiles({ ...content, page: { ...content.page, name } })));
  const expected = [
    { action: 'create', kind: 'incident', count: 4 },
    { action: 'create', kind: 'subscriber', count: 2 },
  ];
  assert.equal(
    plan.changes.filter(({ kind }) => kind !== 'component status'),
    expected,
  );
  assert.equal(await plan.apply(), []);
  assert.equal(
    plan.changes.filter(({ kind }) => kind !== 'component status'),
    expected,
  );
  const again = await planHistory(client, read(asFiles({ ...content, page: { ...content.page, name } })));
  await again.apply();
  assert.equal(again.changes, []);
  assert.is(again.unchanged, 6);
});

test('a row is found again under the id of an earlier release, and rows of other installations are not', async () => {
  const { client, json } = await importing();
  const page = `Acme ${pages}`;
  const incident = (source_id: string, name: string, at: number, more: object = {}): ImportedIncident => ({
    page,
    source_id,
    kind: 'incident',
    name,
    impact: 'none',
    updates: [{ status: 'investigating', body: name, created_at: instantOf(at), components: [] }],
    ...more,
  });
  const maintenance = (source_id: string, name: string, days: number, more: object = {}): ImportedIncident => ({
    ...incident(source_id, name, NOW + days * DAY_MS, more),
    kind: 'maintenance',
    impact: 'maintenance',
    schedule: {
      scheduled_for: instantOf(NOW + days * DAY_MS),
      scheduled_until: instantOf(NOW + days * DAY_MS + HOUR_MS),
    },
    updates: [{ status: 'scheduled', body: name, created_at: instantOf(NOW + days * DAY_MS), components: [] }],
  });
  const run = async (...incidents: ImportedIncident[]) => {
    const report = await importHistory(client, { incidents }, { now: instantOf(NOW) });
    assert.equal(report.problems, []);
    return report.incidents;
  };
  const [source_row, windows] = ['kuma:incident-1', 'kuma:maintenance-1'];
  await run(incident(source_row, 'Outage', NOW - DAY_MS), maintenance(windows, 'Disks', 2));

  const ours = [
    incident(`${source_row}:monday`, 'Outage', NOW - DAY_MS, { source_row }),
    maintenance(`${windows}:main:Disks`, 'Disks', 3, { source_row: windows }),
  ];
  assert.equal(await run(...ours), { created: 0, updated: 2, unchanged: 0 });
  assert.equal(await run(...ours), { created: 0, updated: 0, unchanged: 2 });
  const theirs = [
    incident(`${source_row}:tuesday`, 'Outage', NOW - 2 * DAY_MS, { source_row }),
    maintenance(`${windows}:other:Disks`, 'Disks', 5, { source_row: windows }),
  ];
  assert.equal(await run(...theirs), { created: 2, updated: 0, unchanged: 0 });
  assert.equal(await run(...theirs, ...ours), { created: 0, updated: 0, unchanged: 4 });
  const renamed = maintenance(`${windows}:main:New disks`, 'New disks', 3, { source_row: windows });
  assert.equal(await run(renamed), { created: 0, updated: 1, unchanged: 0 });
  const elsewhere = maintenance(`${windows}:third:Disks`, 'Disks', 3, { source_row: windows });
  assert.equal(await run(elsewhere), { created: 1, updated: 0, unchanged: 0 });
  assert.equal(await run(elsewhere, renamed), { created: 0, updated: 0, unchanged: 2 });
  assert.equal((await json(ALL)).map(({ name }) => name).sort(), ['Disks', 'Disks', 'New disks']);
});

test('a page that does not exist is named', async () => {
  const client = recordingClient(service.request, service.first.keys.admin);
  const update = { status: 'resolved', body: 'Over.', created_at: instantOf(NOW), components: [] };
  const incidents = [
    { page: 'Missing', source_id: 'x', kind: 'incident' as const, name: 'X', impact: 'none', updates: [update] },
  ];
  const { problems } = await importHistory(client, { incidents });
  const sentence = 'It does not exist, so its incidents and subscribers were not imported.';
  assert.equal(problems, [{ kind: 'page', name: 'Missing', sentence }]);
});

test('subscribers that the service refuses are named without their address', async () => {
  const { client, path } = await importing();
  const { name } = (await client.get(path)) as { name: string };
  const csv = 'mode,email,skip_confirmation_notification\nemail,nowhere,yes\nemail,eva@example.com,yes\n';
  const { subscribers, problems } = await importHistory(client, {
    subscribers: [{ page: name, csv, labels: ['subscriber s1', 'subscriber s2'] }],
  });
  assert.is(subscribers.added, 1);
  assert.match(problems[0]?.sentence ?? '', /^1 subscriber \(subscriber s1\): email: /);
  assert.not.match(problems[0]?.sentence ?? '', /nowhere/);
});

test.run();
