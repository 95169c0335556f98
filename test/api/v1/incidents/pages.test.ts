import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../service.ts';

const test = suite('pages of incidents');

const service = await startService();
test.after(() => service.stop());

interface Shown {
  id: string;
  name: string;
  created_at: string;
  incident_updates: unknown[];
}
interface Page {
  incidents: Shown[];
  pagination: Record<string, unknown>;
}

const COUNT = 45;
const page = String((await service.request('POST', '/v1/pages', { body: { name: 'Acme' } })).headers.location);
const component = (
  (await service.request('POST', `${page}/components`, { body: { name: 'Web' } })).json() as { id: string }
).id;
const path = `${page}/incidents`;

/** Incidents 1 to 45, a minute apart; every ninth is resolved, and every tenth affects the component. */
for (let n = 1; n <= COUNT; n++) {
  service.time.now += 60_000;
  const status = n % 9 === 0 ? 'resolved' : 'investigating';
  const components = n % 10 === 0 ? { [component]: 'major_outage' } : {};
  const body = { name: `Incident ${n}`, body: 'No answer.', status, components };
  assert.is((await service.request('POST', path, { body })).status, 201);
}

const get = (query: string, list = path) => service.request('GET', `${list}${query}`);
const pageOf = async (query: string, list = path): Promise<Page> => {
  const reply = await get(query, list);
  assert.is(reply.status, 200, reply.text);
  return reply.json() as Page;
};
const numbers = ({ incidents }: Pick<Page, 'incidents'>): number[] =>
  incidents.map(({ name }) => Number(name.split(' ')[1]));

test('a list request without page parameters returns all incidents as an array', async () => {
  const all = (await get('')).json() as Shown[];
  assert.is(all.length, COUNT);
  assert.equal(((await get('?status=resolved')).json() as Shown[]).length, 5);
});

test('a page of incidents lists the newest incidents first, and states its position in the list', async () => {
  const first = await pageOf('?page=1');
  assert.equal(
    numbers(first),
    [...Array(20).keys()].map((n) => COUNT - n),
  );
  assert.equal(first.pagination, {
    page: 1,
    page_size: 20,
    total_pages: 3,
    total_items: COUNT,
    has_next: true,
    has_prev: false,
  });
  const last = await pageOf('?page=3');
  assert.equal(numbers(last), [5, 4, 3, 2, 1]);
  assert.equal([last.pagination['has_next'], last.pagination['has_prev']], [false, true]);
  assert.equal(numbers(await pageOf('?page_size=2')), [45, 44]);
  assert.equal(numbers(await pageOf('?page=9007199254740991&page_size=100')), []);
});

test('incidents in a page are the same as when they are read individually', async () => {
  const { incidents } = await pageOf('?page=2&page_size=1');
  assert.equal(incidents, [(await get(`/${incidents[0]?.id ?? ''}`)).json()]);
});

test('a request for one page of incidents reads no other incidents', async () => {
  const original = service.readStore.get.bind(service.readStore);
  const read: string[] = [];
  service.readStore.get = async (generation, collection, ids, options) => {
    if (collection === 'incidents') read.push(...ids);
    return original(generation, collection, ids, options);
  };
  const { incidents } = await pageOf('?page=2&page_size=7');
  service.readStore.get = original;
  assert.equal(new Set(read), new Set(incidents.map(({ id }) => id)));
});

test('filters of incidents by component, status and time can be combined', async () => {
  const all = (await get('')).json() as Shown[];
  const timeOf = (n: number): string => `${all[COUNT - n]?.created_at ?? ''}Z`;
  assert.equal(numbers(await pageOf(`?page=1&component_id=${component}`)), [40, 30, 20, 10]);
  assert.equal(numbers(await pageOf(`?page=2&page_size=3&component_id=${component}`)), [10]);
  assert.equal(numbers(await pageOf('?page=1&status=resolved')), [45, 36, 27, 18, 9]);
  assert.equal(numbers(await pageOf(`?page=1&since=${timeOf(10)}&until=${timeOf(12)}`)), [12, 11, 10]);
  const both = await pageOf(`?page=1&component_id=${component}&status=investigating,identified&until=${timeOf(30)}`);
  assert.equal(numbers(both), [30, 20, 10]);
  assert.is(both.pagination['total_items'], 3);
  const shown = (await get(`?since=${timeOf(44)}`)).json() as Shown[];
  assert.equal(numbers({ incidents: shown }), [45, 44]);
});

test('with `created_until`, pages of incidents do not change when incidents are added', async () => {
  const { incidents } = await pageOf('?page=1&page_size=10');
  const until = `${incidents[0]?.created_at ?? ''}Z`;
  service.time.now += 60_000;
  const body = { name: 'Incident 46', body: 'No answer.', status: 'investigating', components: {} };
  const { id } = (await service.request('POST', path, { body })).json() as Shown;
  assert.equal(numbers(await pageOf(`?page=2&page_size=10&created_until=${until}`)).slice(0, 2), [35, 34]);
  await service.request('DELETE', `${path}/${id}`);
});

test('lists of unresolved incidents and maintenances have pages too', async () => {
  const open = await pageOf('?page=1&page_size=3', `${path}/unresolved`);
  assert.equal(numbers(open), [44, 43, 42]);
  assert.is(open.pagination['total_items'], 40);
  const { incidents, pagination } = await pageOf('?page=1', `${path}/maintenance`);
  assert.equal([incidents, pagination['total_items']], [[], 0]);
});

test('`updates=false` returns incidents with empty updates', async () => {
  const [incident] = (await pageOf('?page=1&updates=false')).incidents;
  assert.equal(incident?.incident_updates, []);
  const all = (await get('?updates=false')).json() as Shown[];
  assert.ok(all.every(({ incident_updates }) => incident_updates.length === 0));
});

test('an unchanged page of incidents is 304', async () => {
  const { headers } = await get('?page=1');
  const again = await service.request('GET', `${path}?page=1`, { headers: { 'if-none-match': String(headers.etag) } });
  assert.is(again.status, 304);
});

test('an invalid query of incidents is 400 and names the parameter', async () => {
  for (const [query, field] of [
    ['page=0', 'page'],
    ['page=x', 'page'],
    ['page_size=101', 'page_size'],
    ['status=open', 'status'],
    ['since=yesterday', 'since'],
    ['since=2026-02-01&until=2026-01-01', 'until'],
    ['updates=maybe', 'updates'],
    ['component_id=1', 'component_id'],
  ] as const) {
    const reply = await get(`?${query}`);
    assert.is(reply.status, 400, query);
    assert.ok(field in (reply.json() as { errors: { query: object } }).errors.query, reply.text);
  }
});

test.run();
