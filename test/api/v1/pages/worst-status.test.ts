import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../service.ts';

const test = suite('statuses in the list of pages');
const service = await startService();
const { request } = service;
test.after(() => service.stop());

const created = async (path: string, body: object): Promise<string> => {
  const reply = await request('POST', path, { body });
  assert.ok(reply.status === 200 || reply.status === 201, reply.text);
  return (reply.json() as { id: string }).id;
};
const listed = async (query: string): Promise<[string, unknown][]> => {
  const reply = await request('GET', `/v1/pages${query}`);
  assert.is(reply.status, 200, reply.text);
  const { pages } = reply.json() as { pages: { name: string; worst_status?: string }[] };
  return pages.map(({ name, worst_status }) => [name, worst_status]);
};

test('the list of pages contains the worst component status of each page on request', async () => {
  assert.equal(await listed('?include_status=true'), []);
  const id = await created('/v1/pages', { name: 'Acme' });
  await created('/v1/pages', { name: 'Bravo' });
  const group_id = await created(`/v1/pages/${id}/components`, { name: 'Shop', group: true });
  await created(`/v1/pages/${id}/components`, { name: 'Web', group_id, status: 'partial_outage' });
  await created(`/v1/pages/${id}/components`, { name: 'API', status: 'degraded_performance' });
  assert.equal(await listed('?include_status=true'), [
    ['Acme', 'partial_outage'],
    ['Bravo', 'operational'],
  ]);
  assert.equal(await listed(''), [
    ['Acme', undefined],
    ['Bravo', undefined],
  ]);
  const one = await request('GET', `/v1/pages/${id}`);
  assert.not('worst_status' in (one.json() as object));
});

test.run();
