import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HttpError } from '../../http/errors.ts';
import { createBudget, type Budget } from '../../http/rate-limit.ts';
import { KEY_OF, serveNotes } from '../api/notes.ts';

const test = suite('rate limits');

const served = await serveNotes({ rateLimit: 2 });
const status = async (key: string): Promise<number> =>
  (await served.bare({ path: '/v1/notes', headers: { authorization: key } })).status;
test.after(() => served.stop());

test('requests over the limit per second get 429 with Retry-After', async () => {
  assert.equal([await status(KEY_OF.viewer), await status(KEY_OF.viewer)], [200, 200]);
  const refused = await served.bare({ path: '/v1/notes', headers: { authorization: KEY_OF.viewer } });
  assert.is(refused.status, 429);
  assert.is(refused.headers['retry-after'], '1');
  assert.is(await status(KEY_OF.editor), 200);
  served.time.now += 500;
  assert.is(await status(KEY_OF.viewer), 200);
  assert.is(await status(KEY_OF.viewer), 429);
});

test('the rate limit for callers without a key applies to their address', async () => {
  const proxied = await serveNotes({ rateLimit: 1, trustProxy: '127.0.0.1' });
  const letter = async (address: string): Promise<number> => {
    const headers = { 'x-forwarded-for': address };
    return (await proxied.bare({ method: 'POST', path: '/v1/letters', body: { text: 'x' }, headers })).status;
  };
  assert.equal([await letter('192.0.2.1'), await letter('192.0.2.1'), await letter('192.0.2.2')], [200, 429, 200]);
  await proxied.stop();
});

test('an address that guesses API keys is blocked, but valid keys still work from that address', async () => {
  const guarded = await serveNotes({ unauthorizedPerMinute: 3, trustProxy: '127.0.0.1' });
  const get = async (key: string | null, address = '192.0.2.1') =>
    guarded.bare({
      path: '/v1/notes',
      headers: { 'x-forwarded-for': address, ...(key !== null && { authorization: key }) },
    });
  const statuses = async (...keys: (string | null)[]): Promise<number[]> => {
    const answered: number[] = [];
    for (const key of keys) answered.push((await get(key)).status);
    return answered;
  };
  assert.equal(await statuses(KEY_OF.viewer, 'a', null, 'b', 'c', null), [200, 401, 401, 401, 429, 429]);
  assert.is((await get('c')).headers['retry-after'], '20');
  assert.equal(await statuses(KEY_OF.viewer, KEY_OF.admin), [200, 429]);
  assert.is((await get('a', '192.0.2.2')).status, 401);
  guarded.time.now += 20_000;
  assert.equal(await statuses(KEY_OF.admin, 'd', 'e'), [200, 401, 429]);
  await guarded.stop();
});

/** Returns the `Retry-After` of a refusal; null: the budget of the caller is not spent. */
const refusalOf = (budget: Budget, caller = 'a'): string | null => {
  try {
    budget.check(caller);
    return null;
  } catch (error) {
    assert.instance(error, HttpError);
    return (error as HttpError).headers['Retry-After'] ?? null;
  }
};

test('a caller who has spent more than the budget must wait until the excess has been refilled', () => {
  const time = { now: 0 };
  const budget = createBudget({ perSecond: 10, burst: 100, message: 'Slow down.' }, () => time.now);
  const spendIfAllowed = (): boolean => {
    const isAllowed = refusalOf(budget) === null;
    if (isAllowed) budget.spend('a', 50);
    return isAllowed;
  };
  let spent = 0;
  for (; time.now < 60_000; time.now += 100) if (spendIfAllowed()) spent += 50;
  assert.ok(spent <= 100 + 60 * 10 + 50, `spent ${spent}`);
  assert.ok(spent >= 60 * 10, `spent ${spent}`);
  assert.is(refusalOf(budget, 'b'), null);
});

test('an excess counts up to the size of the budget, and Retry-After says when it has been refilled', () => {
  const time = { now: 0 };
  const budget = createBudget({ perSecond: 10, burst: 100, message: 'Slow down.' }, () => time.now);
  budget.spend('a', 130);
  assert.is(refusalOf(budget), '4');
  budget.spend('a', 1_000_000);
  assert.is(refusalOf(budget), '11');
  time.now = 11_000;
  assert.is(refusalOf(budget), null);
});

test.run();
