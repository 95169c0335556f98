import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomFrom } from '../contracts/random.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { callApiExpecting, callApi, endPrograms, IS_CLUSTER, serve, type RunningProgram } from './program.ts';
import { eventually, realPause } from '../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const KILLS = IS_CLUSTER ? 1 : 6;
const CHECKS = 300;
/** Time within which a deleted check can be restored (domain/check/restore.ts), in milliseconds. */
const RESTORABLE_MS = 30_000;

const test = suite('restored checks and bulk changes');
test.after.each(endPrograms);

/** Statuses of success. A response is 202 if a read model lags, and 204 if it has no body. */
const DONE: readonly number[] = [200, 202, 204];

interface Shown {
  id: string;
  active: boolean;
  interval: number;
  secrets: { secret_id: string }[];
  [field: string]: unknown;
}
interface Results {
  results: { id: string; status: number }[];
}

const WEB = { name: 'Shop', type: 'web', interval: 3_600, url: 'http://127.0.0.1:9/', active: false };

const api = (program: RunningProgram) => ({
  post: <T = { id: string }>(path: string, body: object, status = 201) =>
    callApiExpecting<T>(program, ADMIN_API_KEY, status, 'POST', path, body),
  get: <T>(path: string) => callApiExpecting<T>(program, ADMIN_API_KEY, 200, 'GET', path),
});

/** Waits until the read models have caught up, such as after a takeover. */
const caughtUp = async (program: RunningProgram, path: string): Promise<void> => {
  const touch = () => callApi(program, ADMIN_API_KEY, 'PATCH', path, { name: `Other ${Date.now()}` });
  await eventually(async () => (await touch()).status === 200, { within: 60_000 });
};

/** Sends a request with an idempotency key. Fails if the connection is lost. */
const repeatable = async (program: RunningProgram, key: string, path: string, body?: object) => {
  const headers = { authorization: ADMIN_API_KEY, 'content-type': 'application/json', 'idempotency-key': key };
  const response = await fetch(program.address + path, {
    method: 'POST',
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
};

test(
  'deleted checks are restored either completely or not at all, in spite of kill -9',
  inTemporaryFolder(async (DATA_DIR) => {
    const environment = { DATA_DIR, ADMIN_API_KEY };
    const random = randomFrom(20_261_127);
    let program = await serve(environment);
    const { post, get } = api(program);
    const other = await post('/v1/checks', WEB);
    const group = await post('/v1/check-groups', { name: 'Shops' });
    const secret = await post('/v1/secrets', { secret_name: 'TOKEN', secret_value: 'correct horse' });
    const secrets = [{ secret_id: secret.id, env_variable: 'TOKEN' }];
    const page = await post('/v1/pages', { name: 'Shop', subdomain: 'shop' }, 200);
    const telegram = { bot_token: '1:a', chat_id: '1' };
    const channel = await post('/v1/alerts/channels', { name: 'Chat', type: 'telegram', configuration: telegram });
    const { id } = await post('/v1/checks', { ...WEB, group_id: group.id, secrets });
    const path = `/v1/checks/${id}`;
    const rule = { name: 'Down', check_id: id, condition: 'check_failed', channel_ids: [channel.id] };
    const { id: ruleId } = await post('/v1/alerts/rules', rule);
    const component = await post(`/v1/pages/${page.id}/components`, { name: 'Web', check_id: id });
    const shown = await get<Shown>(path);

    for (let kill = 0; kill < KILLS; kill++) {
      const deletedAt = Date.now();
      const deleted = await callApi(program, ADMIN_API_KEY, 'DELETE', path);
      assert.ok(DONE.includes(deleted.status), JSON.stringify(deleted));
      const key = randomUUID();
      const cut = repeatable(program, key, `${path}/restore`).catch(() => null);
      await realPause(random.below(12), 'the program is killed at different moments');
      await program.end('SIGKILL');
      await cut;
      program = await serve(environment);
      await caughtUp(program, `/v1/checks/${other.id}`);
      // The repetition has no idempotency key. With the same key it would get 409 in a cluster, where no process knows
      // that the killed process no longer handles the first request.
      const { status, body } = await callApi(program, ADMIN_API_KEY, 'POST', `${path}/restore`);
      // On a slow machine, the restart may take longer than the time within which the check can be restored.
      if (status === 404 && Date.now() - deletedAt > RESTORABLE_MS) return;
      assert.ok(DONE.includes(status), JSON.stringify(body));
      await eventually(async () => (await callApi(program, ADMIN_API_KEY, 'GET', path)).status === 200);
      const now = api(program);
      assert.equal(await now.get(path), shown);
      await eventually(async () => {
        const found = await callApi(program, ADMIN_API_KEY, 'GET', `/v1/alerts/rules/${ruleId}`);
        return found.status === 200 && (found.body as { check_id: string }).check_id === id;
      });
      await eventually(async () => {
        const { check_id } = await now.get<{ check_id: string | null }>(
          `/v1/pages/${page.id}/components/${component.id}`,
        );
        return check_id === id;
      });
      assert.is((await callApi(program, ADMIN_API_KEY, 'DELETE', `/v1/secrets/${secret.id}`)).status, 409);
    }
    await program.end('SIGTERM');
  }),
);

test(
  'a bulk request that is repeated after kill -9 changes and creates each check once',
  inTemporaryFolder(async (DATA_DIR) => {
    const environment = { DATA_DIR, ADMIN_API_KEY };
    const random = randomFrom(20_261_128);
    let program = await serve(environment);
    const other = await api(program).post('/v1/checks', WEB);
    /** Kills the program during a request, and then repeats the request until it succeeds. */
    const through = async (body: object): Promise<Results> => {
      const key = randomUUID();
      const cut = repeatable(program, key, '/v1/checks/bulk', body).catch(() => null);
      await realPause(20 + random.below(400), 'the program is killed at different moments');
      await program.end('SIGKILL');
      await cut;
      program = await serve(environment);
      await caughtUp(program, `/v1/checks/${other.id}`);
      for (;;) {
        const { status, body: output } = await repeatable(program, key, '/v1/checks/bulk', body);
        if (status === 409) {
          await realPause(1_000, 'in a cluster the first request counts as in flight for a while');
          continue;
        }
        assert.ok(DONE.includes(status), JSON.stringify(output));
        const answer = output as Results;
        // On a slow machine, some items may reach a time limit. The request is then repeated to complete them.
        if (answer.results.every((result) => result.status < 500)) return answer;
      }
    };
    const total = async (): Promise<number> =>
      (await api(program).get<{ pagination: { total_items: number } }>('/v1/checks')).pagination.total_items;

    const created = await through({ create: Array.from({ length: CHECKS }, () => WEB) });
    assert.equal(new Set(created.results.map(({ status }) => status)), new Set([201]));
    const ids = created.results.map(({ id }) => id);
    assert.is(new Set(ids).size, CHECKS);
    await eventually(async () => (await total()) === CHECKS + 1);

    for (let kill = 0; kill < KILLS / 2; kill++) {
      const interval = 600 + kill;
      const changed = await through({ ids, change: { interval } });
      assert.equal(new Set(changed.results.map(({ status }) => status)), new Set([200]));
      const [first = ''] = ids;
      await eventually(async () => (await api(program).get<Shown>(`/v1/checks/${first}`)).interval === interval);
    }
    const deleted = await through({ ids, change: { delete: true } });
    assert.equal(new Set(deleted.results.map(({ status }) => status)), new Set([204]));
    await eventually(async () => (await total()) === 1);
    await program.end('SIGTERM');
  }),
);

test.run();
