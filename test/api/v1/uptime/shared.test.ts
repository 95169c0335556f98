import { get } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from '../../../waiting.ts';
import { startService } from '../../service.ts';

const test = suite('the uptime of many components');

const service = await startService();
test.after(() => service.stop());

const page = String((await service.request('POST', '/v1/pages', { body: { name: 'Acme' } })).headers.location);
const ids: string[] = [];
for (let n = 0; n < 30; n++) {
  const made = await service.request('POST', `${page}/components`, { body: { name: `Component ${n}` } });
  ids.push((made.json() as { id: string }).id);
}
const path = `${page}/components/uptime`;
const body = { component_ids: ids };

/** Counts reads of uptime timelines, and blocks them until `release` is called. */
const holdLanes = () => {
  const original = service.readStore.find.bind(service.readStore);
  const seen = { lanes: 0 };
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  service.readStore.find = async (generation, collection, query) => {
    if (collection === 'lanes') {
      seen.lanes += 1;
      await released;
    }
    return original(generation, collection, query);
  };
  return {
    seen,
    release,
    end: () => {
      service.readStore.find = original;
    },
  };
};
const ask = () => service.request('POST', path, { body });

test('uptime is computed once for concurrent callers, and again after a change', async () => {
  const alone = holdLanes();
  alone.release();
  const expected = ((await ask()).json() as { id: string }[]).map(({ id }) => id);
  assert.equal(expected, ids);
  alone.end();

  const together = holdLanes();
  const requests = [ask(), ask(), ask()];
  await eventually(() => together.seen.lanes > 0);
  // When this request gets its response, all earlier requests have arrived.
  await service.request('GET', page);
  together.release();
  for (const { status, json } of await Promise.all(requests)) {
    assert.is(status, 200);
    assert.is((json() as unknown[]).length, ids.length);
  }
  together.end();
  assert.is(together.seen.lanes, alone.seen.lanes);

  const before = holdLanes();
  const first = ask();
  await eventually(() => before.seen.lanes > 0);
  const begun = before.seen.lanes;
  await service.request('PATCH', `${page}/components/${ids[0] ?? ''}`, { body: { status: 'major_outage' } });
  const second = ask();
  await eventually(() => before.seen.lanes > begun);
  before.release();
  await Promise.all([first, second]);
  before.end();
});

test('the computation of uptime stops when its caller has disconnected', async () => {
  const { seen, release, end } = holdLanes();
  const [component = ''] = ids;
  const group = String(
    (await service.request('POST', `${page}/component-groups`, { body: { name: 'All' } })).headers.location,
  );
  for (const id of ids) {
    await service.request('PATCH', `${page}/components/${id}`, { body: { group_id: group.split('/').at(-1) } });
  }
  const leaving = get({
    host: '127.0.0.1',
    port: service.port,
    path: `${page}/components/${group.split('/').at(-1) ?? ''}/uptime`,
    headers: { authorization: service.first.keys.viewer },
  });
  leaving.on('error', () => undefined);
  await eventually(() => seen.lanes > 0);
  leaving.destroy();
  await eventually(() => service.logged.some((line) => line.includes('"status":408')));
  release();
  await service.request('GET', `${page}/components/${component}`);
  const read = seen.lanes;
  end();
  const whole = holdLanes();
  whole.release();
  await service.request('GET', `${page}/components/${group.split('/').at(-1) ?? ''}/uptime`);
  whole.end();
  assert.ok(read < whole.seen.lanes, `${read} of ${whole.seen.lanes}`);
});

test.run();
