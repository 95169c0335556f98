import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers, httpServer } from '../probes/web/servers.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import type { ShownResult } from './checking.ts';
import { requestRun, waitForOutcome } from './polling.ts';
import { callApiExpecting, callApi, endPrograms, IS_CLUSTER, serve, uptrail, type RunningProgram } from './program.ts';
import { eventually, realPause } from '../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
/** Time limit for the outcome of a job, in seconds. */
const SOON = 30;
const KILLS = IS_CLUSTER ? 1 : 6;

const test = suite('secrets of a running service');
test.after.each(endPrograms);
test.after.each(closeServers);

interface Made {
  id: string;
}
interface Binding {
  secret_id: string;
  env_variable: string;
}

const api = (program: RunningProgram) => ({
  post: <T = Made>(path: string, body: object) => callApiExpecting<T>(program, ADMIN_API_KEY, 201, 'POST', path, body),
  get: <T>(path: string) => callApiExpecting<T>(program, ADMIN_API_KEY, 200, 'GET', path),
  patch: (path: string, body: object) => callApiExpecting<unknown>(program, ADMIN_API_KEY, 200, 'PATCH', path, body),
  remove: (path: string) => callApiExpecting<unknown>(program, ADMIN_API_KEY, 204, 'DELETE', path),
});

/** Reads all files below a folder. */
const filesIn = (folder: string): [string, Buffer][] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))]);

test(
  'only runs of checks that are bound to a secret can read the secret, these runs get its newest value, and no response shows the value',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: `${folder}/data`, ADMIN_API_KEY, LOG_LEVEL: 'debug' };
    const values = ['first s3cr3t & value', 'second "s3cr3t" value'];
    let current = values[0] ?? '';
    const target = await httpServer((_, response) => {
      response.statusCode = 500;
      response.setHeader('x-token', current);
      response.setHeader('location', `/?token=${encodeURIComponent(current)}`);
      response.end(JSON.stringify({ said: current, base64: Buffer.from(current).toString('base64') }));
    });
    const url = `http://127.0.0.1:${target.port}/`;
    const program = await serve(environment);
    const { post, get, patch, remove } = api(program);
    const runOf = async (checkId: string): Promise<string> => {
      const job = await requestRun(program, ADMIN_API_KEY, `/v1/checks/${checkId}/execute`);
      const { result } = await waitForOutcome(program, ADMIN_API_KEY, job, SOON);
      const path = `/v1/checks/all-results?result_id=${result?.result_id ?? ''}`;
      const { results } = await get<{ results: ShownResult[] }>(path);
      assert.is(results[0]?.status, 'failed', JSON.stringify(results));
      return JSON.stringify(results[0]?.check_metadata);
    };

    const secret = await post('/v1/secrets', { secret_name: 'TOKEN', secret_value: current });
    const definition = { name: 'Shop', type: 'api', interval: 60, timeout: 5, url, active: false };
    const bound = await post('/v1/checks', {
      ...definition,
      secrets: [{ secret_id: secret.id, env_variable: 'TOKEN' }],
    });
    const unbound = await post('/v1/checks', definition);
    // A bound check masks the value. An unbound check does not know that the text is a secret.
    assert.match(await runOf(unbound.id), 's3cr3t');
    const reported = await runOf(bound.id);
    assert.not.match(reported, 's3cr3t');
    assert.match(reported, '********');
    current = values[1] ?? '';
    await patch(`/v1/secrets/${secret.id}`, { secret_value: current });
    assert.not.match(await runOf(bound.id), 's3cr3t');
    const { secret_value } = await get<{ secret_value: string }>(`/v1/secrets/${secret.id}`);
    assert.is(secret_value, current);

    // Results of the unbound check contain the value, and are deleted with their check.
    await remove(`/v1/checks/${unbound.id}`);
    const history = await uptrail(environment, 'history', 'secret', secret.id);
    assert.match(history.stdout, /Secret created, by .*\n {4}secret_name: TOKEN\n/);
    assert.match(history.stdout, /Secret value changed, by [^]*Secret value read, by /);
    const ofCheck = await uptrail(environment, 'history', 'check', bound.id);
    assert.match(ofCheck.stdout, 'secrets.TOKEN: TOKEN');
    const exported = await uptrail(environment, 'export', `${folder}/moved`);
    assert.is(exported.code, 0, exported.stderr);
    const lines = readFileSync(`${folder}/moved/main.jsonl`, 'utf8');
    assert.match(lines, 'SecretValueChanged');
    const { stdout, stderr } = await program.end('SIGTERM');
    for (const value of values) {
      for (const text of [history.stdout, ofCheck.stdout, lines, stdout, stderr]) assert.not(text.includes(value));
      // Results of the unbound check remain in the results log, and in read models that are built from it.
      const others = filesIn(folder).filter(([name]) => !/results|activity|verdicts/.test(name));
      for (const [name, bytes] of others) assert.not(bytes.includes(value), name);
    }
    await target.close();
  }),
);

test(
  'secrets are bound and deleted either completely or not at all, in spite of kill -9',
  inTemporaryFolder(async (DATA_DIR) => {
    const environment = { DATA_DIR, ADMIN_API_KEY };
    let program = await serve(environment);
    const definition = { name: 'Shop', type: 'web', interval: 60, url: 'http://127.0.0.1:9/', active: false };
    const check = await api(program).post('/v1/checks', definition);
    const path = `/v1/checks/${check.id}/secrets`;
    for (let kill = 0; kill < KILLS; kill++) {
      const { post } = api(program);
      const secrets = await Promise.all(
        ['A', 'B', 'C', 'D'].map((name) =>
          post('/v1/secrets', { secret_name: name, secret_value: `value of ${name}` }),
        ),
      );
      const [a = { id: '' }, b = { id: '' }, c = { id: '' }, d = { id: '' }] = secrets;
      const under = (method: string, of: string, body?: object) =>
        callApi(program, ADMIN_API_KEY, method, of, body).catch(() => null);
      const requested = [
        under('POST', path, { secret_id: a.id, env_variable: 'A' }),
        under('PUT', path, [{ secret_id: b.id, env_variable: 'B' }]),
        under('POST', '/v1/checks', { ...definition, secrets: [{ secret_id: c.id, env_variable: 'C' }] }),
        under('DELETE', `/v1/secrets/${c.id}`),
        under('DELETE', `/v1/secrets/${d.id}`),
        under('POST', path, { secret_id: d.id, env_variable: 'D' }),
      ];
      await realPause(3 * kill, 'the program is killed at different moments');
      await program.end('SIGKILL');
      await Promise.all(requested);
      program = await serve(environment);
      const { get } = api(program);
      const done = async (method: string, of: string, body?: object): Promise<void> => {
        const { status, body: output } = await callApi(program, ADMIN_API_KEY, method, of, body);
        // The status is 202 while read models lag during a takeover.
        assert.ok([200, 202, 204].includes(status), `${method} ${of}: ${JSON.stringify(output)}`);
      };
      // Waits until the process that took over has folded everything.
      const rename = () =>
        callApi(program, ADMIN_API_KEY, 'PATCH', `/v1/checks/${check.id}`, { name: `Shop ${Date.now()}` });
      await eventually(async () => (await rename()).status === 200);
      const { checks } = await get<{ checks: { id: string; secrets: Binding[] }[] }>('/v1/checks?page_size=100');
      for (const one of checks) {
        for (const { secret_id } of one.secrets) {
          await get(`/v1/secrets/${secret_id}`);
          const refused = await callApi(program, ADMIN_API_KEY, 'DELETE', `/v1/secrets/${secret_id}`);
          assert.is(refused.status, 409, JSON.stringify(refused.body));
        }
        await done('PUT', `/v1/checks/${one.id}/secrets`, []);
      }
      const left = await get<{ secrets: Made[] }>('/v1/secrets?page_size=100');
      for (const { id } of left.secrets) await done('DELETE', `/v1/secrets/${id}`);
    }
    await program.end('SIGTERM');
  }),
);

test.run();
