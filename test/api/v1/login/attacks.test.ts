import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sweepSignIns } from '../../../../commands/sign-in/sign-in-sweep.ts';
import type { EventData } from '../../../../domain/event-types.ts';
import { codeAt } from '../../../authenticator.ts';
import type { Reply } from '../../http.ts';
import { startService, type Service } from '../../service.ts';
import {
  postFrom,
  login,
  PASSWORD,
  storeUser,
  refresh,
  signedIn,
  withSecondFactor,
  type Tokens,
} from './signed-in-user.ts';

const test = suite('attacks on sign-in');
let service: Service;
test.before(async () => {
  service = await startService();
});
test.after(() => service.stop());

let addresses = 0;
/** Returns a new loopback address at each call. */
const anAddress = (): string => `127.1.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`;

const statuses = (replies: readonly Reply[]): number[] => replies.map(({ status }) => status);
const guess = (email: string, address: string) => login(service, email, 'a wrong guess', address);

test('guesses on an account are delayed increasingly, whatever address they come from', async () => {
  const { email } = await storeUser(service, 'alma');
  const first: Reply[] = [];
  for (let n = 0; n < 11; n++) first.push(await guess(email, anAddress()));
  assert.equal(new Set(statuses(first)), new Set([401]));
  const refused = await guess(email, anAddress());
  assert.is(refused.status, 429);
  assert.is(refused.headers['retry-after'], '1');
  // The correct password is delayed too. Otherwise an attacker could continue to guess during the delay.
  assert.is((await login(service, email, PASSWORD, anAddress())).status, 429);
  let tries = 0;
  for (const until = service.time.now + 86_400_000; service.time.now < until;) {
    const { status, headers } = await guess(email, anAddress());
    if (status === 401) tries += 1;
    else service.time.now += 1_000 * Number(headers['retry-after']);
  }
  assert.ok(tries < 120, `${tries} guesses in a day`);
});

test('concurrent guesses are counted individually', async () => {
  const { email } = await storeUser(service, 'boris');
  const replies = await Promise.all(Array.from({ length: 40 }, () => guess(email, anAddress())));
  assert.ok(statuses(replies).filter((status) => status === 401).length <= 11);
});

test('an address that tries many accounts is delayed, however many accounts there are', async () => {
  const address = anAddress();
  const replies: Reply[] = [];
  for (let n = 0; n < 15; n++) replies.push(await guess(`stuffed-${n}@example.com`, address));
  assert.is(replies.at(0)?.status, 401);
  assert.is(replies.at(-1)?.status, 429);
});

test('guesses for an unknown e-mail address are delayed like guesses for a known one', async () => {
  const { email } = await storeUser(service, 'carla');
  const answers = async (tried: string): Promise<string[]> => {
    const replies: Reply[] = [];
    for (let n = 0; n < 13; n++) replies.push(await guess(tried, anAddress()));
    return replies.map(({ status, text, headers }) => `${status} ${String(headers['retry-after'])} ${text}`);
  };
  assert.equal(await answers('unknown-carla@example.com'), await answers(email));
});

test('attackers cannot lock out a user at an address that has signed in before', async () => {
  const { email } = await storeUser(service, 'david');
  const home = anAddress();
  await signedIn(service, email, home);
  for (let n = 0; n < 20; n++) await guess(email, anAddress());
  assert.is((await login(service, email, PASSWORD, anAddress())).status, 429);
  assert.is((await login(service, email, PASSWORD, home)).status, 200);
});

test('guesses from an address that has signed in before are delayed too', async () => {
  const { email } = await storeUser(service, 'erika');
  const home = anAddress();
  await signedIn(service, email, home);
  const replies: Reply[] = [];
  for (let n = 0; n < 12; n++) replies.push(await guess(email, home));
  assert.is(replies.at(-1)?.status, 429);
});

test('guesses for unknown e-mail addresses do not fill the store', async () => {
  const before = (await service.entries.listExpired('sign_in', Number.MAX_SAFE_INTEGER, 100_000)).length;
  for (let n = 0; n < 9; n++) await guess(`filling-${n}@example.com`, '127.9.9.9');
  const after = await service.entries.listExpired('sign_in', Number.MAX_SAFE_INTEGER, 100_000);
  assert.ok(after.length - before <= 10);
  assert.not.ok(after.some(({ id, value }) => /filling|127\.9/.test(id + value)));
});

test("delayed attempts and successful sign-ins store no counter of the client's address", async () => {
  const { email } = await storeUser(service, 'fanny');
  await signedIn(service, email, anAddress());
  for (let n = 0; n < 11; n++) await guess(email, anAddress());
  const counted = async (): Promise<number> => {
    const all = await service.entries.listExpired('sign_in', Number.MAX_SAFE_INTEGER, 100_000);
    return all.filter(({ id }) => id.startsWith('address ')).length;
  };
  const before = await counted();
  for (let n = 0; n < 20; n++) assert.is((await guess(email, anAddress())).status, 429);
  assert.is(await counted(), before);
  service.time.now += 1_000;
  await signedIn(service, email, anAddress());
  assert.is(await counted(), before);
});

test('failures of one account and address within a quarter of an hour are recorded as one event', async () => {
  const { id, email } = await storeUser(service, 'frida');
  service.time.now = Math.ceil(service.time.now / 900_000) * 900_000 + 1_000;
  const [one, other] = [anAddress(), anAddress()];
  for (const address of [one, one, one, other]) await guess(email, address);
  const { commands } = service;
  const recorded = async () => {
    const events = await service.stores.main.readStream(`sign_in-${id}`, { from: 0n, limit: 10 });
    return events.map(({ data }) => (data as EventData['SignInsFailed']).count).sort();
  };
  await commands.bind(sweepSignIns)(service.time.now);
  assert.equal(await recorded(), []);
  const entries = await service.entries.listOfOwner('sign_in', id, service.time.now);
  service.time.now += 17 * 60_000;
  await Promise.all([commands.bind(sweepSignIns)(service.time.now), commands.bind(sweepSignIns)(service.time.now)]);
  assert.equal(await recorded(), [1, 3]);
  // Restores the entries, as if the process had crashed after it stored the event and before it removed them.
  await service.entries.putAll('sign_in', entries);
  await commands.bind(sweepSignIns)(service.time.now);
  assert.equal(await recorded(), [1, 3]);
});

test('no token, password or code is stored or logged in the clear', async () => {
  const { email } = await storeUser(service, 'greta');
  const tokens = await signedIn(service, email);
  const { secret, recovery_codes } = await withSecondFactor(service, tokens.access_token);
  const events = await service.stores.main.readAll({ after: -1n, limit: 1_000_000 });
  const all = JSON.stringify([events, service.logged], (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  for (const text of [PASSWORD, tokens.access_token, tokens.refresh_token, secret, ...recovery_codes]) {
    assert.not.ok(all.includes(text), text);
  }
});

test('a code of a second factor works once, even if it is used concurrently, and earlier codes do not work afterwards', async () => {
  const { email } = await storeUser(service, 'hilda');
  const { access_token } = await signedIn(service, email);
  const { secret, first } = await withSecondFactor(service, access_token);
  const challenge = async () => ((await login(service, email)).json() as { challenge: string }).challenge;
  const answer = (text: string, code: string) =>
    postFrom(service, '127.0.0.1', '/v1/login/totp', { challenge: text, code });
  const [one, other] = [await challenge(), await challenge()];
  const code = codeAt(secret, service.time.now);
  const replies = await Promise.all([answer(one, code), answer(other, code)]);
  assert.equal(statuses(replies).sort(), [200, 401]);
  assert.is((await answer(await challenge(), code)).status, 401);
  assert.is((await answer(await challenge(), first)).status, 401);
  assert.is((await answer(await challenge(), codeAt(secret, service.time.now - 30_000))).status, 401);
});

test('the challenge of a second factor can be completed once, within five minutes and five attempts, by its own user', async () => {
  const { email } = await storeUser(service, 'inge');
  const { access_token } = await signedIn(service, email);
  const { secret } = await withSecondFactor(service, access_token);
  const eve = await storeUser(service, 'eve');
  const eves = await withSecondFactor(service, (await signedIn(service, eve.email)).access_token);
  const challenge = async () => ((await login(service, email)).json() as { challenge: string }).challenge;
  const answer = (text: string, code: string) =>
    postFrom(service, '127.0.0.1', '/v1/login/totp', { challenge: text, code });

  const ofOther = await challenge();
  assert.is((await answer(ofOther, codeAt(eves.secret, service.time.now))).status, 401);
  const ok = await answer(ofOther, codeAt(secret, service.time.now));
  assert.is(ok.status, 200, ok.text);
  service.time.now += 60_000;
  assert.is((await answer(ofOther, codeAt(secret, service.time.now))).status, 401);

  const tried = await challenge();
  for (let n = 0; n < 5; n++) assert.is((await answer(tried, '000000')).status, 401);
  service.time.now += 60_000;
  assert.is((await answer(tried, codeAt(secret, service.time.now))).status, 401);

  const late = await challenge();
  service.time.now += 300_000;
  assert.is((await answer(late, codeAt(secret, service.time.now))).status, 401);
});

test('a recovery code replaces a code of the second factor once, in any notation', async () => {
  const { email } = await storeUser(service, 'jutta');
  const { access_token } = await signedIn(service, email);
  const { recovery_codes } = await withSecondFactor(service, access_token);
  const [code = ''] = recovery_codes;
  assert.is(recovery_codes.length, 10);
  const use = async (text: string): Promise<number> => {
    const { challenge } = (await login(service, email)).json() as { challenge: string };
    return (await postFrom(service, '127.0.0.1', '/v1/login/totp', { challenge, code: text })).status;
  };
  assert.is(await use(code.toUpperCase().replaceAll('-', ' ')), 200);
  assert.is(await use(code), 401);
});

test('the challenge of a second factor is void after a change of the password', async () => {
  const { email } = await storeUser(service, 'karin');
  const { access_token } = await signedIn(service, email);
  const { secret } = await withSecondFactor(service, access_token);
  const { challenge } = (await login(service, email)).json() as { challenge: string };
  const body = { old_password: PASSWORD, new_password: 'another-tuba-42' };
  const changed = await service.request('POST', '/v1/users/change-password', { key: access_token, body });
  assert.is(changed.status, 200, changed.text);
  const code = codeAt(secret, service.time.now);
  assert.is((await postFrom(service, '127.0.0.1', '/v1/login/totp', { challenge, code })).status, 401);
});

test('refreshing a session too often is refused, and the session continues', async () => {
  const { email } = await storeUser(service, 'lena');
  let { refresh_token } = await signedIn(service, email);
  const all: number[] = [];
  for (let n = 0; n < 6; n++) {
    const reply = await refresh(service, refresh_token);
    all.push(reply.status);
    if (reply.status === 200) refresh_token = (reply.json() as Tokens).refresh_token;
  }
  assert.equal(all, [200, 200, 200, 200, 200, 429]);
  service.time.now += 10_000;
  assert.is((await refresh(service, refresh_token)).status, 200);
});

test('malformed tokens are 401', async () => {
  for (const token of ['utr_', `utr_${'A'.repeat(86)}`, 'uta_x', 'upt_x', 'x', `utr_${'é'.repeat(86)}`]) {
    const key = encodeURIComponent(token);
    assert.is((await service.request('POST', '/v1/refresh', { key })).status, 401, token);
    assert.is((await service.request('POST', '/v1/logout', { key })).status, 401, token);
  }
  assert.is((await service.request('POST', '/v1/refresh', { key: null })).status, 401);
});

test.run();
