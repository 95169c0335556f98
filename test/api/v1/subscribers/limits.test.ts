import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { networkOf } from '../../../../http/client-address.ts';
import { createMinuteLimit } from '../../../../http/rate-limit.ts';
import { subscribers } from '../../../../projections/subscribers/projection.ts';
import { startService } from '../../service.ts';

const test = suite('limits of subscribing');

const clock = { now: 0 };
const byAddress = createMinuteLimit(5, 'Too many subscriptions from this address.', () => clock.now);
const service = await startService({
  signUps: {
    admit: (address) => {
      byAddress(networkOf(address ?? ''));
    },
    unconfirmedPerHour: 3,
    confirmationsPerDay: 2,
    smsPerDay: 2,
  },
});
test.after(() => service.stop());

let pages = 0;
const newPage = async (): Promise<string> => {
  const body = { name: `Page ${pages++}`, allow_sms_subscribers: true };
  return ((await service.request('POST', '/v1/pages', { body })).json() as { id: string }).id;
};

const events = () => service.stores.main.readAll({ after: 0n, categories: ['subscriber'] });

/** Subscribes as a visitor, and waits until the read model shows the subscription. */
const subscribe = async (page: string, body: object, key: string | null = null) => {
  const reply = await service.request('POST', `/v1/pages/${page}/subscribers`, { key, body });
  const position = (await events()).at(-1)?.position ?? 0n;
  await service.readers.waitFor([subscribers.name], { appended: new Map([['main', position]]) });
  return reply;
};
const email = (name: string) => ({ mode: 'email', email: `${name}@example.com` });

test.before.each(() => {
  clock.now += 3_600_000;
});

test('visitors can subscribe five times a minute per client address', async () => {
  const [one, other] = [await newPage(), await newPage()];
  for (const [n, page] of [one, other, one, other, one].entries()) {
    assert.is((await subscribe(page, email(`n${n}`))).status, 201);
  }
  const sixth = await subscribe(other, email('n5'));
  assert.is(sixth.status, 429);
  assert.is(sixth.headers['retry-after'], '12');
  // Other refused requests and requests with a key do not count.
  assert.is((await subscribe(other, { mode: 'email', email: 'none' })).status, 422);
  assert.is((await subscribe(other, email('n6'), service.first.keys.editor)).status, 201);
  clock.now += 12_000;
  assert.is((await subscribe(other, email('n7'))).status, 201);
});

test('the number of unconfirmed subscriptions of visitors per page and hour is limited', async () => {
  const page = await newPage();
  for (const name of ['a', 'b', 'c']) assert.is((await subscribe(page, email(name))).status, 201);
  const refused = await subscribe(page, email('d'));
  assert.is(refused.status, 429);
  assert.is(refused.headers['retry-after'], '600');
  // An existing subscriber is refused too, because the response must not reveal the subscription.
  assert.is((await subscribe(page, email('a'))).status, 429);
  assert.is((await subscribe(page, email('d'), service.first.keys.editor)).status, 201);
  service.time.now += 3_601_000;
  clock.now += 60_000;
  assert.is((await subscribe(page, email('e'))).status, 201);
});

test('the number of confirmation requests per recipient and day is limited across pages, without a visible refusal', async () => {
  const requested = async (): Promise<boolean[]> =>
    (await events()).map(({ data }) => (data as { asks: boolean }).asks);
  const before = (await requested()).length;
  for (let n = 0; n < 3; n++) assert.is((await subscribe(await newPage(), email('ivan'))).status, 201);
  assert.equal((await requested()).slice(before), [true, true, false]);
});

test('the number of text messages per day is limited', async () => {
  const page = await newPage();
  const sms = (n: number) => ({ mode: 'sms', phone_number: `+7912345678${n}`, phone_country: 'RU' });
  assert.is((await subscribe(page, sms(1))).status, 201);
  assert.is((await subscribe(page, sms(2))).status, 201);
  const refused = await subscribe(page, sms(3));
  assert.is(refused.status, 429);
  assert.ok(Number(refused.headers['retry-after']) <= 86_400);
  assert.is((await subscribe(page, sms(3), service.first.keys.editor)).status, 429);
  const skipping = { ...sms(3), skip_confirmation_notification: true };
  assert.is((await subscribe(page, skipping, service.first.keys.editor)).status, 201);
});

test.run();
