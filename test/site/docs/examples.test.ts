import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXAMPLE_IDS } from '../../../api/openapi/examples/ids.ts';
import { v1Routes } from '../../../api/v1/index.ts';
import { assertDeclared } from '../../api/declared-responses.ts';
import { isInstalled, testWith } from '../../deploy/project.ts';
import { addressOf, OPERATIONS } from './documentation.ts';
import { codes, output, script, withCode } from './programs.ts';

const test = suite('the examples of the API documentation');

const withCurl = testWith(test, (await isInstalled('curl')) && (await isInstalled('bash')));
const withPython = testWith(test, await isInstalled('python3'));

test('every operation except those of signed links has examples', () => {
  for (const operation of OPERATIONS) {
    const languages = operation.shown.samples.map(({ language }) => language);
    const isLink = operation.shown.access.kind === 'link';
    assert.equal(languages, isLink ? [] : ['curl', 'JavaScript', 'Python'], addressOf(operation));
  }
});

test('the responses in examples have exactly the declared fields', () => {
  const wrong: string[] = [];
  for (const { shown } of OPERATIONS) {
    const { exampleResponse: example, methods, path } = shown;
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

test('examples contain realistic values instead of type names', () => {
  for (const operation of OPERATIONS) {
    const shown = operation.shown.exampleResponse?.json ?? '';
    assert.not.match(shown, /"(?:text|string)"(?!:)/, addressOf(operation));
  }
});

/** A request that a program has sent. */
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
    body: body === '' ? null : request.headers['content-type'] === 'application/json' ? JSON.parse(body) : body,
  };
};

/** Calls a function with a server that accepts every request. @returns the requests that the server has received */
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
    await use({ UPTRAIL: `http://127.0.0.1:${port}`, KEY: 'a-key', TOKEN: 'a-token' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return requests;
};

type AsyncCode = (process: unknown, console: unknown) => Promise<void>;
const { constructor: AsyncFunction } = Object.getPrototypeOf(async () => undefined) as {
  constructor: new (...parts: string[]) => AsyncCode;
};

/** The requests that the JavaScript examples send. The examples in other languages must send the same requests. */
const ofJavaScript = await recording(async (env) => {
  for (const code of codes('JavaScript'))
    await new AsyncFunction('process', 'console', code)({ env }, { log: () => undefined });
});

test('JavaScript examples send requests that their operations accept', () => {
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

/** Runs all examples in one Python process, because starting a process for each example would take a second. */
const RUN_PYTHON = `
import contextlib, io, json, sys
for code in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "example", "exec"), {"__name__": "__main__"})
`;

withPython('Python examples send the same requests as the JavaScript examples', async () => {
  const sent = await recording(async (environment) => {
    await output('python3', ['-c', RUN_PYTHON], JSON.stringify(codes('Python')), { ...environment, no_proxy: '*' });
  });
  assert.equal(sent, ofJavaScript);
});

withCurl('curl examples send the same requests as the JavaScript examples', async () => {
  const sent = await recording(async (environment) => {
    await output('bash', [], script(codes('curl'), null), environment);
  });
  assert.equal(
    sent.map((one) => one.contentType === 'application/x-www-form-urlencoded'),
    sent.map(() => false),
  );
  assert.equal(sent, ofJavaScript);
});

test.run();
