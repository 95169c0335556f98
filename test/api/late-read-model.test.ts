import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Incident } from '../../api/v1/incidents/schema.ts';
import { pages } from '../../projections/pages/projection.ts';
import { ReadModelLate } from '../../projections/readers.ts';
import { ReadStoreUnavailable } from '../../stores/read-store/port.ts';
import { until } from '../projections/engine/engine.ts';
import { rejects } from '../rejects.ts';
import { startService } from './service.ts';
import { createStatusPage } from './v1/pages/status-page.ts';

const test = suite('writes while a read model does not follow the log');
const service = await startService();
const { request, readStore, readers, statuses, stores } = service;
test.after(() => service.stop());

const commit = readStore.commit.bind(readStore);
/** Blocks the storage of page documents until the returned function is called. */
const holdPages = (): (() => void) => {
  readStore.commit = async (generation, writes, checkpoint) => {
    if (generation.projection.startsWith('pages@')) throw new ReadStoreUnavailable('The disk of pages is full.');
    await commit(generation, writes, checkpoint);
  };
  return () => {
    readStore.commit = commit;
  };
};

test('a write to a stopped read model gets 202, and all other writes get their responses immediately', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API');
  const release = holdPages();
  const renamed = await request('PATCH', `/v1/pages/${page.id}`, { body: { name: 'Renamed' } });
  assert.is(renamed.status, 202);
  assert.is((await until(statuses, pages.name, ({ state }) => state === 'failing')).state, 'failing');

  const body = { name: 'No answer', body: 'We look.', status: 'investigating', components: { [api]: 'major_outage' } };
  const opened = await request('POST', page.incidents, { body });
  assert.is(opened.status, 201, opened.text);
  const { id, components } = opened.json() as Incident;
  assert.is(components[0]?.status, 'major_outage');
  const changed = await request('PATCH', `${page.incidents}/${id}`, { body: { status: 'identified', body: 'Found.' } });
  assert.is(changed.status, 200, changed.text);
  assert.is((changed.json() as Incident).incident_updates.length, 2);

  const [last] = (await stores.main.readStream(`incident-${id}`)).slice(-1);
  const bare = { appended: new Map([['main', last?.position ?? 0n]]) };
  await rejects(readers.waitFor([pages.name], bare), ReadModelLate);
  release();
  await until(statuses, pages.name, ({ state }) => state === 'live');
  await readers.waitFor([pages.name], bare);
  const shown = await request('GET', `/v1/pages/${page.id}`);
  assert.is((shown.json() as { name: string }).name, 'Renamed');
});

test.run();
