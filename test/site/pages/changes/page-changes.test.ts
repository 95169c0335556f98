import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PageDocument } from '../../../../projections/pages/documents.ts';
import { pages } from '../../../../projections/pages/projection.ts';
import { createPageChanges, type ReportedChange } from '../../../../site/pages/changes/page-changes.ts';
import { startService, type Service } from '../../../api/service.ts';
import { fakeClock } from '../../../network/fake-clock.ts';

const test = suite('versions of status pages');

const create = async (service: Service, path: string, body: object): Promise<string> =>
  ((await service.request('POST', path, { body })).json() as { id: string }).id;

const following = async () => {
  const service = await startService({ now: Date.parse('2026-11-20T15:00:00Z') });
  const [a, b] = [await create(service, '/v1/pages', { name: 'A' }), await create(service, '/v1/pages', { name: 'B' })];
  const shop = await create(service, `/v1/pages/${a}/components`, { name: 'Shop' });
  const reads = { count: 0 };
  const read = service.readers.for({ appended: new Map() });
  const changes = createPageChanges({
    statuses: service.statuses,
    read: (projection) => {
      reads.count += 1;
      return read(projection);
    },
    mac: (kind, text) => service.keys.fingerprint(kind, text),
    clock: fakeClock(0),
  });
  const document = async (id: string): Promise<PageDocument> => {
    const found = await read(pages).pages.get(id);
    if (!found) throw new Error('There is no such page.');
    return found;
  };
  const seen: ReportedChange[] = [];
  const end = changes.follow((changed) => seen.push(changed));
  return { service, a, b, shop, reads, changes, document, seen, end };
};

test('a write changes the version of the affected page, and versions of other pages are not read again', async () => {
  const { service, a, b, shop, reads, changes, document, seen } = await following();
  const [pageA, pageB] = [await document(a), await document(b)];
  // The first report after a start might not name what was written, so this write comes before the measured ones.
  await service.request('PATCH', `/v1/pages/${a}/components/${shop}`, { body: { description: 'One' } });
  const before = [await changes.versionOf(pageA), await changes.versionOf(pageB)];
  seen.length = 0;
  const incident = { name: 'Down', body: 'It is.', status: 'investigating', components: { [shop]: 'major_outage' } };
  const id = await create(service, `/v1/pages/${a}/incidents`, incident);
  const after = await changes.versionOf(pageA);
  assert.is.not(after.token, before[0]?.token);
  assert.is.not(after.parts.incidents, before[0]?.parts.incidents);
  assert.is.not(after.parts.components, before[0]?.parts.components);
  assert.is(after.parts.page, before[0]?.parts.page);
  reads.count = 0;
  assert.is(await changes.versionOf(pageB), before[1]);
  assert.is(reads.count, 0);
  assert.ok(seen.every((changed) => changed !== 'any' && changed.pageId === a));
  assert.ok(seen.some((changed) => changed !== 'any' && changed.kind === 'incidents' && changed.ids.includes(id)));
  await service.stop();
});

test('the version of a page changes with deletions and with its passwords', async () => {
  const { service, a, shop, changes, document } = await following();
  const tokens = new Set<string>();
  const note = async (): Promise<void> => {
    tokens.add((await changes.newestOf(await document(a))).token);
  };
  await note();
  await service.request('DELETE', `/v1/pages/${a}/components/${shop}`);
  await note();
  assert.is(tokens.size, 2);
  const password = { name: 'all', password: 'correct horse battery' };
  await service.request('POST', `/v1/pages/${a}/passwords`, { body: password });
  await note();
  assert.is(tokens.size, 3);
  const opened = { name: 'X', body: 'Y', status: 'identified', components: {} };
  const made = await service.request('POST', `/v1/pages/${a}/incidents`, { body: opened });
  assert.ok(made.status < 300, made.text);
  const { id: incident } = made.json() as { id: string };
  await note();
  await service.request('DELETE', `/v1/pages/${a}/incidents/${incident}`);
  await note();
  // There are four different versions, not five, because the final version equals the version before the incident.
  assert.is(tokens.size, 4);
  await service.stop();
});

test('withholding a text changes the version of a page in every read model from which the page is rendered', async () => {
  const { service, a, changes, document } = await following();
  const made = await service.request('POST', `/v1/pages/${a}/incidents`, {
    body: { name: 'X', body: 'A secret', status: 'identified', components: {} },
  });
  const { id, incident_updates } = made.json() as { id: string; incident_updates: { id: string }[] };
  const path = `/v1/pages/${a}/incidents/${id}/incident_updates/${incident_updates[0]?.id ?? ''}`;
  const page = await document(a);
  const first = await changes.versionOf(page);
  await service.request('PATCH', path, { body: { body: 'No secret' } });
  const second = await changes.versionOf(page);
  assert.is.not(second.token, first.token);
  const withheld = await service.request('POST', `${path}/withhold`, { key: service.first.keys.admin });
  assert.ok(withheld.status < 300, withheld.text);
  assert.is.not((await changes.versionOf(page)).token, second.token);
  await service.stop();
});

test('the version of a page while one read model lags behind differs from the version after that read model has caught up', async () => {
  const { service, a, shop, document } = await following();
  const lag = { on: true };
  const changes = createPageChanges({
    statuses: {
      onWritten: service.statuses.onWritten,
      of: (name) => {
        const status = service.statuses.of(name);
        return name === 'components' && lag.on ? { ...status, position: 0n } : status;
      },
    },
    read: service.readers.for({ appended: new Map() }),
    mac: (kind, text) => service.keys.fingerprint(kind, text),
    clock: fakeClock(0),
  });
  changes.follow();
  await service.request('PATCH', `/v1/pages/${a}/components/${shop}`, { body: { description: 'One' } });
  const page = await document(a);
  const during = await changes.versionOf(page);
  assert.is((await changes.versionOf(page)).token, during.token);
  lag.on = false;
  const after = await changes.versionOf(page);
  assert.is.not(after.token, during.token);
  assert.equal(after.parts, during.parts);
  await service.stop();
});

test('the version of a page also changes if reports do not name the written documents, as in a cluster', async () => {
  const { service, a, b, shop, document } = await following();
  const changes = createPageChanges({
    statuses: {
      of: service.statuses.of,
      onWritten: (listener) =>
        service.statuses.onWritten((written) => {
          const { collections } = written;
          if (collections === 'unknown') listener(written);
          else listener({ ...written, collections: new Map([...collections.keys()].map((name) => [name, 'many'])) });
        }),
    },
    read: service.readers.for({ appended: new Map() }),
    mac: (kind, text) => service.keys.fingerprint(kind, text),
    clock: fakeClock(0),
  });
  const seen: ReportedChange[] = [];
  changes.follow((changed) => seen.push(changed));
  const [pageA, pageB] = [await document(a), await document(b)];
  const before = [await changes.versionOf(pageA), await changes.versionOf(pageB)];
  await service.request('PATCH', `/v1/pages/${a}/components/${shop}`, { body: { name: 'Store' } });
  assert.ok(seen.includes('any'));
  assert.is.not((await changes.versionOf(pageA)).parts.components, before[0]?.parts.components);
  assert.equal((await changes.versionOf(pageB)).parts, before[1]?.parts);
  await service.stop();
});

test('the versions of pages are not tracked without followers', async () => {
  const { service, changes, end } = await following();
  const other = changes.follow();
  assert.ok(service.statuses.written.demand.wanted);
  end();
  assert.ok(service.statuses.written.demand.wanted);
  other();
  assert.not(service.statuses.written.demand.wanted);
  await service.stop();
});

test.run();
