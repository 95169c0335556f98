import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { callApiExpecting, endPrograms, serve, uptrail, type RunningProgram } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const SECRET = 'ocarina-9034-bass';

const test = suite('a page behind a password');
test.after.each(endPrograms);

interface Made {
  id: string;
}
interface Access {
  access_token: string;
  expires_in: number;
}

/** Reads all files below a folder. */
const filesIn = (folder: string): [string, Buffer][] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))]);

/** Sends a request as a visitor without an API key. */
const visit = async ({ address }: RunningProgram, method: string, path: string, body?: object, token?: string) => {
  const response = await fetch(address + path, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as unknown };
};

test(
  'a page password admits visitors until it is changed, also after kill -9, and no file contains it in plain text',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: `${folder}/data`, ADMIN_API_KEY, LOG_LEVEL: 'debug' };
    let program = await serve(environment);
    const admin = <T = Made>(status: number, method: string, path: string, body?: object): Promise<T> =>
      callApiExpecting<T>(program, ADMIN_API_KEY, status, method, path, body);
    const page = await admin(200, 'POST', '/v1/pages', { name: 'Acme', subdomain: 'acme' });
    const path = `/v1/pages/${page.id}`;
    const password = await admin(201, 'POST', `${path}/passwords`, { name: 'Customers', password: SECRET });
    const see = async (token?: string): Promise<number> =>
      (await visit(program, 'GET', '/v1/pages/by-domain/acme', undefined, token)).status;
    const give = (text: string) => visit(program, 'POST', `${path}/verify-password`, { password: text });

    assert.is(await see(), 404);
    assert.is((await give(`${SECRET}-`)).status, 401);
    const { access_token: token, expires_in } = (await give(SECRET)).body as Access;
    assert.is(expires_in, 86_400);
    assert.is(await see(token), 200);

    const killed = await program.end('SIGKILL');
    program = await serve(environment);
    assert.equal([await see(), await see(token), (await give(SECRET)).status], [404, 200, 200]);

    await admin(200, 'PUT', `${path}/passwords/${password.id}`, { password: `${SECRET}-new` });
    assert.equal([await see(token), (await give(SECRET)).status], [404, 401]);
    const fresh = (await give(`${SECRET}-new`)).body as Access;
    assert.is(await see(fresh.access_token), 200);
    const history = await uptrail(environment, 'history', 'page', page.id);
    assert.is(history.code, 0, history.stderr);
    const exported = await uptrail(environment, 'export', `${folder}/moved`);
    assert.is(exported.code, 0, exported.stderr);
    await admin(204, 'DELETE', `${path}/passwords/${password.id}`);
    assert.is(await see(), 200);

    const ended = await program.end('SIGTERM');
    const output = [killed, ended, history, exported].flatMap(({ stdout, stderr }) => [stdout, stderr]);
    for (const text of [...output, readFileSync(`${folder}/moved/main.jsonl`, 'utf8')]) {
      for (const hidden of [SECRET, '$argon2id', token]) assert.not(text.includes(hidden));
    }
    for (const [name, bytes] of filesIn(folder)) {
      for (const hidden of [SECRET, '$argon2id', token]) assert.not(bytes.includes(hidden), name);
    }
  }),
);

test.run();
