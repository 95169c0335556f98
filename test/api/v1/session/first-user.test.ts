import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService, type Service } from '../../service.ts';
import { PASSWORD, storeUser } from '../login/signed-in-user.ts';
import { createBrowser } from './browser.ts';

const test = suite('the first user of a service');
const PATH = '/v1/session/first-user';

const withService = async (check: (service: Service) => Promise<void>): Promise<void> => {
  const service = await startService();
  try {
    await check(service);
  } finally {
    await service.stop();
  }
};

const needed = async (service: Service, key: string | null = null): Promise<boolean> => {
  const reply = await service.request('GET', PATH, { key });
  assert.is(reply.status, 200, reply.text);
  return (reply.json() as { needed: boolean }).needed;
};

test('the first user is created once with the admin key and signed in', () =>
  withService(async (service) => {
    const key = service.first.keys.admin;
    assert.equal([await needed(service), await needed(service, key)], [true, true]);
    const browser = createBrowser(service);
    const body = { email: 'ann@example.com', password: PASSWORD };
    const reply = await browser.post(PATH, body, key);
    assert.is(reply.status, 200, reply.text);
    const { access_token, user } = reply.json() as { access_token: string; user: Record<string, unknown> };
    assert.equal([user['email'], user['role'], user['status']], ['ann@example.com', 'admin', 'active']);
    assert.is((await service.request('GET', '/v1/users', { key: access_token })).status, 200);
    assert.match(browser.cookie()?.value ?? '', /^utr_/);
    const { session } = (await browser.post('/v1/session/refresh')).json() as { session: { user: object } };
    assert.is((session.user as { id: string }).id, user['id']);

    assert.equal([await needed(service), await needed(service, key)], [false, false]);
    const again = await createBrowser(service).post(PATH, { ...body, email: 'eve@example.com' }, key);
    assert.is(again.status, 409);
    assert.match(again.text, 'The organization already has a user. Please sign in.');
    const login = await createBrowser(service).post('/v1/session/login', body);
    assert.is(login.status, 200);

    const audit = await service.request('GET', '/v1/audit', { key });
    const { audit_logs } = audit.json() as { audit_logs: { action: string; actor_type: string; ip_address: string }[] };
    const entries = audit_logs
      .filter(({ action }) => /^(?:user|session)\./.test(action))
      .map(({ action, actor_type, ip_address }) => [action, actor_type, ip_address].join(' '));
    assert.equal(entries.sort(), [
      'session.started user 127.0.0.1',
      'session.started user 127.0.0.1',
      'user.invited api_key 127.0.0.1',
      'user.joined api_key 127.0.0.1',
    ]);
  }));

test('of two concurrent creations of the first user, one succeeds', () =>
  withService(async (service) => {
    const key = service.first.keys.admin;
    const made = ['ann', 'ben', 'cleo'].map((name) =>
      createBrowser(service).post(PATH, { email: `${name}@example.com`, password: PASSWORD }, key),
    );
    const statuses = (await Promise.all(made)).map(({ status }) => status);
    assert.equal(statuses.sort(), [200, 409, 409]);
    const users = await service.request('GET', '/v1/users', { key });
    assert.is((users.json() as unknown[]).length, 1);
  }));

test('the first user follows the rules of other users, and errors name invalid fields', () =>
  withService(async (service) => {
    const key = service.first.keys.admin;
    const refused = async (body: object): Promise<string[]> => {
      const reply = await createBrowser(service).post(PATH, body, key);
      assert.is(reply.status, 422, reply.text);
      return Object.keys((reply.json() as { errors: { json: object } }).errors.json);
    };
    assert.equal(await refused({ email: 'ann', password: PASSWORD }), ['email']);
    assert.equal(await refused({ email: 'ann@example.com', password: 'password' }), ['password']);
    assert.equal(await refused({ email: 'ann@example.com', password: 'ann@example.com' }), ['password']);
    assert.equal((await refused({})).sort(), ['email', 'password']);
    assert.ok(await needed(service));
  }));

test('the first user can be created only with an admin key, and only by a page of the service', () =>
  withService(async (service) => {
    const body = { email: 'ann@example.com', password: PASSWORD };
    for (const role of ['viewer', 'editor', 'billing'] as const) {
      assert.is((await createBrowser(service).post(PATH, body, service.first.keys[role])).status, 403, role);
      assert.not.ok(await needed(service, service.first.keys[role]));
    }
    assert.is((await createBrowser(service).post(PATH, body)).status, 401);
    assert.is((await createBrowser(service).post(PATH, body, 'wrong')).status, 401);
    assert.is((await service.request('GET', PATH, { key: 'wrong' })).status, 401);
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' };
    const evil = await createBrowser(service).send('POST', PATH, { body, key: service.first.keys.admin, headers });
    assert.is(evil.status, 403);
    assert.ok(await needed(service));
  }));

test('the first user of another organization is created with a key of that organization, and needs a unique e-mail address', () =>
  withService(async (service) => {
    await storeUser(service, 'ann', 'admin');
    assert.not.ok(await needed(service));
    const key = service.second.keys.admin;
    assert.ok(await needed(service, key));
    const create = (name: string) =>
      createBrowser(service).post(PATH, { email: `${name}@example.com`, password: PASSWORD }, key);
    const conflict = await create('ann');
    assert.is(conflict.status, 409);
    assert.equal((conflict.json() as { errors: object }).errors, { json: { email: ['Already belongs to a user.'] } });
    for (let times = 1; times < 10; times++) await create('ann');
    // At most ten responses an hour reveal that an e-mail address is in use. The same limit applies to invitations.
    assert.is((await create('ann')).status, 429);
    service.time.now += 3_600_000;
    assert.is((await create('ben')).status, 200);
  }));

test.run();
