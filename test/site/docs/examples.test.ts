import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createUser } from '../../../commands/organizations/users.ts';
import { EXAMPLE_IDS } from '../../../api/openapi/examples/ids.ts';
import { v1Routes } from '../../../api/v1/index.ts';
import { plansOf } from '../../../domain/organization/plans.ts';
import { storeChannel } from '../../api/alert-channels.ts';
import { assertDeclared } from '../../api/answers.ts';
import { makeAll, type Ids } from '../../api/fixtures.ts';
import { sessionOf } from '../../api/people.ts';
import { MANY_PLANS } from '../../api/payments.ts';
import { startService } from '../../api/service.ts';
import { isInstalled, testWith } from '../../deploy/project.ts';
import { within } from '../../waiting.ts';
import { addressOf, codeOf, OPERATIONS } from './documentation.ts';

const test = suite('the examples of the API documentation');

const withCurl = testWith(test, (await isInstalled('curl')) && (await isInstalled('bash')));
const withPython = testWith(test, await isInstalled('python3'));

type Operation = (typeof OPERATIONS)[number];
const withCode = OPERATIONS.filter(({ shown }) => shown.samples.length > 0);

/** Runs a program with a text as its input. @returns what it printed */
const output = async (program: string, args: string[], input: string, environment = {}): Promise<string> => {
  const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stdin.end(input);
  const [code] = (await within(120_000, once(child, 'close'), program)) as [number];
  assert.is(code, 0, `${program} ended with ${code.toString()}: ${text}`);
  return text;
};

test('are there for every operation but those of signed links', () => {
  for (const operation of OPERATIONS) {
    const languages = operation.shown.samples.map(({ language }) => language);
    const isLink = operation.shown.access.kind === 'link';
    assert.equal(languages, isLink ? [] : ['curl', 'JavaScript', 'Python'], addressOf(operation));
  }
});

test('show answers as they are declared, with exactly their fields', () => {
  const wrong: string[] = [];
  for (const { shown } of OPERATIONS) {
    const { exampleAnswer: example, methods, path } = shown;
    if (!example) continue;
    for (const method of methods) {
      const json = (): unknown => JSON.parse(example.json);
      const reply = { status: example.status, headers: {}, text: example.json, json };
      const at = path.replace(/\{(\w+)\}/g, (_, name: string) => EXAMPLE_IDS[name] ?? name);
      try {
        assertDeclared(v1Routes, method, at, reply);
      } catch (error) {
        wrong.push((error as Error).message.slice(0, 300));
      }
    }
  }
  assert.equal(wrong, []);
});

test('show values that somebody could have, not names of types', () => {
  for (const operation of OPERATIONS) {
    const shown = operation.shown.exampleAnswer?.json ?? '';
    assert.not.match(shown, /"(?:text|string)"/, addressOf(operation));
  }
});

/** What a program sent. */
interface Recorded {
  method: string;
  path: string;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
  contentType: string | undefined;
  body: unknown;
}

const record = async (request: IncomingMessage): Promise<Recorded> => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { authorization } = request.headers;
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    authorization,
    idempotencyKey: request.headers['idempotency-key'] as string | undefined,
    contentType: request.headers['content-type'],
    body: body === '' ? null : JSON.parse(body),
  };
};

/** Does something with a server that answers everything, and returns what it was sent. */
const recording = async (use: (environment: Record<string, string>) => Promise<void>): Promise<Recorded[]> => {
  const requests: Recorded[] = [];
  const server = createServer((request, response) => {
    void record(request).then((one) => {
      requests.push(one);
      response.end('{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await use({ UPTRAIL: `http://127.0.0.1:${port.toString()}`, KEY: 'a-key', TOKEN: 'a-token' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return requests;
};

const codes = (language: string, of: readonly Operation[] = withCode): string[] =>
  of.map(({ shown }) => codeOf(shown, language) ?? '');

type AsyncCode = (process: unknown, console: unknown) => Promise<void>;
const { constructor: AsyncFunction } = Object.getPrototypeOf(async () => undefined) as {
  constructor: new (...parts: string[]) => AsyncCode;
};

/** What JavaScript sends is what the others are compared with. */
const ofJavaScript = await recording(async (env) => {
  for (const code of codes('JavaScript'))
    await new AsyncFunction('process', 'console', code)({ env }, { log: () => undefined });
});

test('send in JavaScript what the operation takes', () => {
  assert.is(ofJavaScript.length, withCode.length);
  for (const [index, { shown }] of withCode.entries()) {
    const sent = ofJavaScript[index];
    assert.ok(sent);
    assert.ok(shown.methods.includes(sent.method), sent.path);
    assert.is(sent.path.split('/').length, shown.path.split('/').length);
    const expected = { roles: 'a-key', session: 'Bearer a-token', link: undefined, anybody: undefined };
    if (!['/v1/refresh', '/v1/logout'].includes(sent.path))
      assert.is(sent.authorization, expected[shown.access.kind], sent.path);
    assert.is(sent.idempotencyKey !== undefined, shown.idempotencyKey === 'required');
  }
});

/** Programs of their own would take a second each. */
const RUN_PYTHON = `
import contextlib, io, json, sys
for code in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "example", "exec"), {"__name__": "__main__"})
`;

withPython('send the same in Python', async () => {
  const sent = await recording(async (environment) => {
    await output('python3', ['-c', RUN_PYTHON], JSON.stringify(codes('Python')), { ...environment, no_proxy: '*' });
  });
  assert.equal(sent, ofJavaScript);
});

/** The commands one after another: each prints a status, and puts the body into a file of the folder, named by its turn. */
const script = (commands: readonly string[], folder: string): string => `
set -u
turn=0
curl() { turn=$((turn + 1)); command curl -sS --noproxy '*' -o '${folder}'/$turn -w '%{http_code}\\n' "$@"; }
${commands.join('\n')}
`;

const bodies = mkdtempSync(join(tmpdir(), 'uptrail-examples-'));
test.after(() => {
  rmSync(bodies, { recursive: true });
});

/** The body of an answer in that folder; empty: there was none. */
const bodyOf = (turn: number): string => {
  const file = join(bodies, turn.toString());
  return existsSync(file) ? readFileSync(file, 'utf8').slice(0, 300) : '';
};

withCurl('send the same with curl', async () => {
  const sent = await recording(async (environment) => {
    await output('bash', [], script(codes('curl'), bodies), environment);
  });
  assert.equal(
    sent.map((one) => one.contentType === 'application/x-www-form-urlencoded'),
    sent.map(() => false),
  );
  assert.equal(sent, ofJavaScript);
});

/** They need a code or a token that only an authenticator or a message has; test/api/v1/sign-in/ and users/ hold them. */
const NEED_A_SECRET: readonly string[] = [
  '/v1/login/totp',
  '/v1/users/totp/confirm',
  '/v1/users/reset-password',
  'DELETE /v1/users/totp',
];

const needsSecret = ({ shown: { methods, path } }: Operation): boolean =>
  NEED_A_SECRET.includes(path) || NEED_A_SECRET.includes(`${methods[0] ?? ''} ${path}`);

withCurl('work against a running service, each with the answer that it shows', async () => {
  const [team] = MANY_PLANS.all.filter(({ id }) => id === 'plan-0');
  assert.ok(team);
  const plans = plansOf([...MANY_PLANS.all, { ...team, id: 'team' }], MANY_PLANS.default.id);
  const service = await startService({ plans });
  const { first } = service;
  const key = first.keys.admin;
  const create = async (path: string, body: object): Promise<string> => {
    const reply = await service.request('POST', path, { key, body });
    assert.ok(reply.status < 300, `${path}: ${reply.text}`);
    return (reply.json() as { id: string }).id;
  };
  /** Ids that the body of an example names. */
  const makers: Record<string, (ids: Ids) => Promise<string>> = {
    page_id: () => create('/v1/pages', { name: 'Acme' }),
    component_id: ({ page_id = '' }) => create(`/v1/pages/${page_id}/components`, { name: 'Checkout' }),
    check_id: () => create('/v1/checks', { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60 }),
    group_id: () => create('/v1/check-groups', { name: 'Shop' }),
    secret_id: () => create('/v1/secrets', { secret_name: `NAMED_${(made++).toString()}`, secret_value: 'x' }),
    channel_id: () => storeChannel(service, first.id),
  };
  let made = 0;
  const user = async (email: string) => {
    const context = service.context(first.id, `user ${email}`);
    const fields = { email, role: 'admin', password: 'three quiet herons', first_name: 'Ida', last_name: 'Berg' };
    const userId = await service.commands.ask(createUser)(fields, context);
    await service.readers.waitFor(['organizations'], context);
    return userId;
  };
  await user('ida@example.com');
  const session = async (
    number: number,
  ): Promise<Record<'user_id' | 'session_id' | 'token' | 'refreshToken', string>> => {
    const userId = await user(`user-${number.toString()}@example.com`);
    const { sessionId, ...tokens } = await sessionOf(service, first.id, userId);
    return { ...tokens, user_id: userId, session_id: sessionId };
  };

  /** The command with ids that exist, aimed at nobody but this machine. */
  const prepared = async (operation: Operation, index: number): Promise<string> => {
    const { shown } = operation;
    const ids: Record<string, string> = shown.path.endsWith('/sessions/{session_id}')
      ? await session(index)
      : { ...(await makeAll(service, v1Routes, shown.path, key)) };
    let code = codeOf(shown, 'curl') ?? '';
    for (const [name, make] of Object.entries(makers)) {
      const example = EXAMPLE_IDS[name] ?? '';
      if (code.includes(example) && ids[name] === undefined) ids[name] = await make(ids);
    }
    for (const [name, id] of Object.entries(ids)) {
      // That of schemas, where no example of its own is declared.
      const example = EXAMPLE_IDS[name] ?? 'k3v9x0q2m7ab';
      code = name === 'domain' ? code.replace(`/${example}"`, `/${id}"`) : code.replaceAll(example, id);
    }
    code = code.replace(/https:\/\/\w+\.example\.com/g, 'http://127.0.0.1:9');
    if (shown.path.endsWith('/verify-password')) {
      const body = { name: 'Partners', password: 'three quiet herons' };
      await create(`/v1/pages/${ids['page_id'] ?? ''}/passwords`, body);
    }
    if (!code.includes('$TOKEN')) return code;
    const { token, refreshToken } = await session(index);
    return `TOKEN='${shown.path === '/v1/refresh' ? refreshToken : token}'\n${code}`;
  };
  try {
    const run = withCode.filter((operation) => !needsSecret(operation));
    const commands: string[] = [];
    for (const [index, operation] of run.entries()) commands.push(await prepared(operation, index));
    const environment = { UPTRAIL: `http://127.0.0.1:${service.port.toString()}`, KEY: key, TOKEN: '' };
    const lines = (await output('bash', [], script(commands, bodies), environment)).trim().split('\n');
    assert.is(lines.length, run.length);
    const wrong = run.flatMap((operation, index) => {
      const line = lines[index] ?? '';
      const statuses = operation.shown.answers.map(({ status }) => status.toString());
      return statuses.includes(line) ? [] : [`${addressOf(operation)}: ${line} ${bodyOf(index + 1)}`];
    });
    assert.equal(wrong, []);
  } finally {
    await service.stop();
  }
});

test.run();
