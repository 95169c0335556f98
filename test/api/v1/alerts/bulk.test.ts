import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { storeFiredAlert } from '../../alerts.ts';
import { startService, type ServiceRequest } from '../../service.ts';

const test = suite('POST /v1/alerts/bulk');
const service = await startService();
const { request, first, second } = service;
test.after(() => service.stop());

interface Result {
  id: string;
  status: number;
  error: { message: string } | null;
}

const post = (body: object, ask: ServiceRequest = {}) => request('POST', '/v1/alerts/bulk', { body, ...ask });
const bulk = async (body: object, ask: ServiceRequest = {}): Promise<Result[]> => {
  const reply = await post(body, ask);
  assert.is(reply.status, 200, reply.text);
  return (reply.json() as { results: Result[] }).results;
};
const refusedFields = async (body: object): Promise<string[]> => {
  const reply = await post(body);
  assert.is(reply.status, 422, reply.text);
  return Object.keys((reply.json() as { errors: { json: object } }).errors.json).sort();
};
const statusOf = async (id: string): Promise<unknown> =>
  ((await request('GET', `/v1/alerts/${id}`)).json() as { status: string }).status;

test('a bulk change acknowledges and resolves alerts by id, and the response shows the new state', async () => {
  const ids = [await storeFiredAlert(service, first.id), await storeFiredAlert(service, first.id)];
  const acknowledged = await bulk({ ids, change: { acknowledge: true } });
  assert.equal(
    acknowledged,
    ids.map((id) => ({ id, status: 200, error: null })),
  );
  assert.equal(await Promise.all(ids.map(statusOf)), ['acknowledged', 'acknowledged']);
  await bulk({ ids, change: { resolve: true } });
  assert.equal(await Promise.all(ids.map(statusOf)), ['resolved', 'resolved']);
});

test('each alert of a bulk change has the same status and error as a request to the route for one alert', async () => {
  const [firing, resolved] = [await storeFiredAlert(service, first.id), await storeFiredAlert(service, first.id)];
  const foreign = await storeFiredAlert(service, second.id);
  await request('POST', `/v1/alerts/${resolved}/resolve`);
  const results = await bulk({ ids: [firing, resolved, foreign, 'zzzzzzzzzzzz'], change: { acknowledge: true } });
  assert.equal(
    results.map(({ status }) => status),
    [200, 400, 404, 404],
  );
  assert.equal(results[1]?.error, (await request('POST', `/v1/alerts/${resolved}/acknowledge`)).json());
  assert.equal(results[2]?.error, results[3]?.error);
});

test("the filter of a bulk change selects the same alerts as the list, in the caller's organization", async () => {
  const check_id = 'filtered0001';
  const mild = await storeFiredAlert(service, first.id, { check_id, severity: 'low' });
  const severe = await storeFiredAlert(service, first.id, { check_id, severity: 'critical' });
  await storeFiredAlert(service, second.id, { check_id });
  const found = async (filter: object): Promise<Set<string>> =>
    new Set((await bulk({ filter: { check_id, ...filter }, change: { acknowledge: true } })).map(({ id }) => id));
  assert.equal(await found({ severity: 'low' }), new Set([mild]));
  assert.equal(await found({ status: 'firing' }), new Set([severe]));
  assert.equal(await found({ status: 'active' }), new Set([mild, severe]));
  assert.equal(await found({ status: ['resolved'] }), new Set());
  const named = await storeFiredAlert(service, first.id, { check_id, title: 'Checkout is down' });
  assert.equal(await found({ q: 'checkout', status: 'firing,acknowledged' }), new Set([named]));
});

test('an invalid or contradictory bulk change of alerts is refused, and the error names the field', async () => {
  const ids = ['zzzzzzzzzzzz'];
  assert.equal(await refusedFields({}), ['change', 'ids']);
  assert.equal(await refusedFields({ ids, change: {} }), ['change']);
  assert.equal(await refusedFields({ ids, change: { acknowledge: true, resolve: true } }), ['change']);
  assert.equal(await refusedFields({ ids, change: { status: 'resolved' } }), ['change.status']);
  assert.equal(await refusedFields({ filter: { state: 'firing' }, change: { resolve: true } }), ['filter.state']);
  assert.equal(await refusedFields({ filter: { severity: 'bad' }, change: { resolve: true } }), ['filter.severity']);
});

test('a viewer cannot change alerts, and a repeated bulk change gets the same results', async () => {
  const id = await storeFiredAlert(service, first.id);
  const body = { ids: [id], change: { acknowledge: true } };
  assert.is((await post(body, { key: first.keys.viewer })).status, 403);
  const ask = { headers: { 'idempotency-key': 'acknowledge' } };
  const [one, two] = [await post(body, ask), await post(body, ask)];
  assert.equal([two.status, two.text], [200, one.text]);
});

test.run();
