import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServiceState } from '../../../../api/v1/operator/schema.ts';
import { settingsOf } from '../../../../service/http/operator.ts';
import { REACTOR_NAMES } from '../../../../reactors/index.ts';
import { startService, type Service } from '../../service.ts';
import { createBrowser } from '../session/browser.ts';
import { PASSWORD, storeUser } from '../login/signed-in-user.ts';

const test = suite<{ service: Service }>('the state of the service for operators');

test.before.each(async (context) => {
  context.service = await startService();
});
test.after.each(({ service }) => service.stop());

const [REACTOR = ''] = REACTOR_NAMES;

const giveUp = ({ coordination, time }: Service, id: string): Promise<unknown> =>
  coordination.failedItems.store(REACTOR, 1n, [
    {
      id,
      position: 1,
      state: 'given_up',
      tries: 9,
      again: time.now,
      tried: time.now,
      since: time.now - 60_000,
      reason: 'Refused.',
    },
  ]);

test('the state of the service contains read models, reactors, dead letters, runners and missing settings', async ({
  service,
}) => {
  await giveUp(service, 'item-1');
  const reply = await service.request('GET', '/v1/operator', { key: service.first.keys.admin });
  assert.is(reply.status, 200, reply.text);
  const state = reply.json() as ServiceState;
  const organizations = state.read_models.find(({ name }) => name === 'organizations');
  assert.equal([organizations?.state, organizations?.is_rebuilding, organizations?.error], ['live', false, null]);
  assert.ok((organizations?.position ?? 0) > 0);
  assert.equal(
    state.parts.filter(({ name }) => name.startsWith('event store')).map(({ ready }) => ready),
    [true, true],
  );
  const reactor = state.reactors?.find(({ name }) => name === REACTOR);
  assert.is(reactor?.given_up, 1);
  assert.equal(
    state.dead_letters?.map(({ item, state, tries, reason, again_at }) => [item, state, tries, reason, again_at]),
    [['item-1', 'given_up', 9, 'Refused.', null]],
  );
  assert.ok(state.runners[0]?.types.includes('web'));
  const email = state.settings.find(({ feature }) => feature === 'email');
  assert.equal(email, { feature: 'email', configured: false, variables: ['MAIL_FROM', 'PUBLIC_URL'] });
});

test('items that wait for their due time are not dead letters, however many there are', async ({ service }) => {
  const { coordination, time, first } = service;
  const item = (id: string, tries: number) => ({
    id,
    position: 1,
    state: 'retrying' as const,
    tries,
    again: time.now + 10_000,
    tried: time.now,
    since: time.now,
    reason: tries === 0 ? 'It is not yet due.' : 'Refused.',
  });
  const waiting = Array.from({ length: 600 }, (_, index) => item(`held-${index}`, 0));
  await coordination.failedItems.store(REACTOR, 1n, [...waiting, item('refused', 1)]);
  const reply = await service.request('GET', '/v1/operator', { key: first.keys.admin });
  const { dead_letters: letters } = reply.json() as ServiceState;
  assert.equal(
    letters?.map((letter) => letter.item),
    ['refused'],
  );
});

test('the state of the service is shown only to admins of the first organization', async ({ service }) => {
  const { first, second } = service;
  for (const role of ['viewer', 'editor', 'billing'] as const) {
    assert.is((await service.request('GET', '/v1/operator', { key: first.keys[role] })).status, 403, role);
  }
  assert.is((await service.request('GET', '/v1/operator', { key: second.keys.admin })).status, 403);
  assert.is(
    (await service.request('POST', '/v1/operator/retry', { key: second.keys.admin, body: { reactor: REACTOR } }))
      .status,
    403,
  );
  const operates = async (name: string, role: 'admin' | 'editor'): Promise<boolean> => {
    const { email } = await storeUser(service, name, role);
    const reply = await createBrowser(service).post('/v1/session/login', { email, password: PASSWORD });
    return (reply.json() as { operates_service: boolean }).operates_service;
  };
  assert.is(await operates('ann', 'admin'), true);
  assert.is(await operates('ben', 'editor'), false);
});

test('failed items can be retried individually or all together', async ({ service }) => {
  const key = service.first.keys.admin;
  await giveUp(service, 'item-1');
  await giveUp(service, 'item-2');
  const path = '/v1/operator/retry';
  const retry = async (body: object) => (await service.request('POST', path, { key, body })).json();
  assert.equal(await retry({ reactor: REACTOR, item: 'item-1' }), { items: 1 });
  assert.equal(await retry({ reactor: REACTOR, item: 'item-3' }), { items: 0 });
  const { dead_letters: left } = (await service.request('GET', '/v1/operator', { key })).json() as ServiceState;
  assert.equal(
    left?.map(({ item, state }) => [item, state]),
    [
      ['item-2', 'given_up'],
      ['item-1', 'retrying'],
    ],
  );
  assert.equal(await retry({ reactor: REACTOR }), { items: 2 });
  const unknown = await service.request('POST', path, { key, body: { reactor: 'nothing' } });
  assert.is(unknown.status, 422);
  assert.match(unknown.text, 'No reactor has this name.');
});

test('missing settings are shown with the names of their variables, without values', () => {
  const config = {
    mailFrom: { name: '', address: 'a@example.com', domain: 'example.com' },
    publicUrl: null,
    publicDomain: null,
    smsGatewayUrl: 'https://sms.example.com/?key=secret',
    plans: null,
    invoiceSeller: null,
    metricsToken: 'a secret token',
    metricsPort: null,
  };
  const settings = settingsOf(config as Parameters<typeof settingsOf>[0]);
  assert.equal(settings.find(({ feature }) => feature === 'email')?.variables, ['PUBLIC_URL']);
  assert.is(settings.find(({ feature }) => feature === 'metrics')?.configured, true);
  assert.not.match(JSON.stringify(settings), 'secret');
});

test.run();
