import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService, type ServiceRequest } from '../../service.ts';

const test = suite('pages and searches of subscribers');
const service = await startService();
const { first, second } = service;
test.after(() => service.stop());

interface Shown {
  id: string;
  mode: string;
  email: string | null;
  created_at: string;
}
interface Page {
  subscribers: Shown[];
  pagination: Record<string, unknown>;
}

const ALL = { allow_sms_subscribers: true };
const newPage = async (): Promise<string> =>
  String((await service.request('POST', '/v1/pages', { body: { name: 'Acme', ...ALL } })).headers.location);
const page = await newPage();
const path = `${page}/subscribers`;

const add = async (body: object, onPage = page): Promise<Shown> => {
  const reply = await service.request('POST', `${onPage}/subscribers`, { body });
  assert.is(reply.status, 201, reply.text);
  return reply.json() as Shown;
};
const email = (name: string, more: object = {}) => ({ mode: 'email', email: name, ...more });

/** Subscribers 1 to 25 by e-mail, a second apart; every fifth is confirmed. */
for (let n = 1; n <= 25; n++) {
  service.time.now += 1_000;
  const skip_confirmation_notification = n % 5 === 0;
  await add(email(`user${n}@${n < 10 ? 'example.com' : 'example.org'}`, { skip_confirmation_notification }));
}
service.time.now += 1_000;
const sms = await add({ mode: 'sms', phone_number: '+79123456789', phone_country: 'RU' });
service.time.now += 1_000;
const hook = await add({ mode: 'webhook', endpoint: 'https://hooks.example.net/secret-path' });
// The same address on another page is another subscriber.
const elsewhere = await newPage();
await add(email('user1@example.com'), elsewhere);

const get = (query: string, ask: ServiceRequest = {}, basePath = path) =>
  service.request('GET', `${basePath}${query}`, ask);
const pageOf = async (query: string, ask: ServiceRequest = {}): Promise<Page> => {
  const reply = await get(query, ask);
  assert.is(reply.status, 200, reply.text);
  return reply.json() as Page;
};
const found = async (q: string, ask: ServiceRequest = {}): Promise<string[]> => {
  const { subscribers } = await pageOf(`?page=1&page_size=100&q=${encodeURIComponent(q)}`, ask);
  return subscribers.map(({ id }) => id);
};
const listed = (await get('')).json() as Shown[];
const ADMIN: ServiceRequest = { key: first.keys.admin };
const VIEWER: ServiceRequest = { key: first.keys.viewer };

test('a list request without page parameters returns all subscribers as an array', () => {
  assert.is(listed.length, 27);
});

test('pages contain the same subscribers in the same order as the list', async () => {
  const pages = [
    await pageOf('?page=1&page_size=10'),
    await pageOf('?page=2&page_size=10'),
    await pageOf('?page=3&page_size=10'),
  ];
  assert.equal(
    pages.flatMap(({ subscribers }) => subscribers),
    listed,
  );
  assert.equal(pages[2]?.pagination, {
    page: 3,
    page_size: 10,
    total_pages: 3,
    total_items: 27,
    has_next: false,
    has_prev: true,
  });
  assert.is((await pageOf('?page=1')).subscribers.length, 20);
  assert.equal((await pageOf('?page=4&page_size=10')).subscribers, []);
});

test('pages of subscribers can be filtered by mode and status', async () => {
  assert.is((await pageOf('?page=1&mode=sms,webhook')).pagination['total_items'], 2);
  const active = await pageOf('?page=2&page_size=2&status=active');
  assert.is(active.pagination['total_items'], 5);
  assert.equal(
    active.subscribers.map(({ id }) => id),
    listed
      .filter((one) => 'is_verified' in one && one.is_verified)
      .slice(2, 4)
      .map(({ id }) => id),
  );
  assert.is((await pageOf('?page=1&status=unsubscribed')).pagination['total_items'], 0);
});

test('with `created_until`, pages of subscribers do not change when subscribers are added', async () => {
  const until = `${listed[0]?.created_at ?? ''}Z`;
  service.time.now += 1_000;
  const late = await add(email('late@example.com'));
  const { subscribers, pagination } = await pageOf(`?page=2&page_size=10&created_until=${until}`);
  assert.equal(subscribers, listed.slice(10, 20));
  assert.is(pagination['total_items'], 27);
  assert.not.ok((await pageOf(`?page=1&q=late&created_until=${until}`, ADMIN)).subscribers.length);
  await service.request('DELETE', `${path}/${late.id}`);
});

test('a request for one page of subscribers reads no other subscribers', async () => {
  const original = service.readStore.get.bind(service.readStore);
  const read: string[] = [];
  service.readStore.get = async (generation, collection, ids, options) => {
    if (collection === 'subscribers') read.push(...ids);
    return original(generation, collection, ids, options);
  };
  await pageOf('?page=2&page_size=5');
  service.readStore.get = original;
  assert.equal(
    read,
    listed.slice(5, 10).map(({ id }) => id),
  );
});

test('a search finds a complete address in any notation', async () => {
  const seventh = listed[20]?.id;
  assert.equal(await found('user7@example.com'), [seventh]);
  assert.equal(await found(' USER7@Example.COM '), [seventh]);
  assert.equal(await found('+7 912 345-67-89'), [sms.id]);
  assert.equal(await found('https://HOOKS.example.net/secret-path#part'), [hook.id]);
  assert.equal(await found('nobody@example.com'), []);
  assert.equal(((await get('?q=user7@example.com')).json() as Shown[]).length, 1);
});

test('a search finds a complete address only if the filters include it', async () => {
  assert.equal((await pageOf('?page=1&q=user7@example.com&status=active')).subscribers, []);
  assert.equal((await pageOf('?page=1&q=user7@example.com&mode=sms')).subscribers, []);
  assert.is((await found('user1@example.com')).length, 1);
});

test('a search for a complete address decrypts no other address', async () => {
  const original = service.readStore.find.bind(service.readStore);
  let searches = 0;
  service.readStore.find = async (generation, collection, query) => {
    if (collection === 'subscribers') searches += 1;
    return original(generation, collection, query);
  };
  await found('user7@example.com');
  service.readStore.find = original;
  assert.is(searches, 0);
});

test('admins can search for any part of an address', async () => {
  assert.is((await found('ser1', ADMIN)).length, 11);
  assert.is((await found('SER1', ADMIN)).length, 11);
  assert.equal(await found('912345', ADMIN), [sms.id]);
  assert.equal(await found('secret-path', ADMIN), [hook.id]);
  const second = await pageOf('?page=2&page_size=5&q=example.org', ADMIN);
  assert.is(second.subscribers.length, 5);
  assert.is(second.pagination['total_items'], 16);
});

test('roles other than admin can search only in the parts of an address that they see', async () => {
  for (const [ask, hooks] of [
    [VIEWER, 0],
    [{}, 1],
  ] as const) {
    assert.is((await found('@example.org', ask)).length, 16);
    assert.equal(await found('ser1', ask), []);
    assert.equal(await found('912345', ask), []);
    assert.equal(await found('6789', ask), [sms.id]);
    assert.is((await found('secret-path', ask)).length, hooks);
    assert.equal(await found('hooks.example.net', ask), [hook.id]);
  }
});

test("searching subscribers of another organization's page is 404", async () => {
  assert.is((await get('?page=1&q=user', { key: second.keys.admin })).status, 404);
});

test('an invalid query of subscribers is 400 and names the parameter', async () => {
  for (const [query, field] of [
    ['page=0', 'page'],
    ['page_size=101', 'page_size'],
    ['q=', 'q'],
    [`q=${'x'.repeat(301)}`, 'q'],
    ['created_until=now', 'created_until'],
  ] as const) {
    const reply = await get(`?${query}`);
    assert.is(reply.status, 400, query);
    assert.ok(field in (reply.json() as { errors: { query: object } }).errors.query, reply.text);
  }
});

test.run();
