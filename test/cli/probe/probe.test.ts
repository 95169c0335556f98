// Own process: commands add listeners for SIGINT that are never removed.
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { CommanderError } from 'commander';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TYPES } from '../../../probes/index.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { createProgram } from '../../../cli/program.ts';
import { createAuthority, hasOpenssl } from '../../probes/web/certificates.ts';
import { httpServer, rawServer } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { collectLines } from '../../service/lines.ts';

const test = suite('uptrail probe');

/** Runs `uptrail probe …`. */
const uptrailProbe = async (words: readonly string[], environment: Record<string, string> = {}) => {
  const output = collectLines();
  let code = -1;
  const program = createProgram(environment, output, (exitCode) => (code = exitCode));
  await program.parseAsync(['node', 'uptrail', 'probe', ...words]);
  return { code, lines: output.lines };
};
const refusal = async (...words: string[]): Promise<string> => {
  try {
    await uptrailProbe(words);
  } catch (error) {
    assert.ok(error instanceof OperatorError || error instanceof CommanderError, String(error));
    return error.message;
  }
  throw new Error('It was not refused.');
};

test('uptrail probe web runs a check with its request and shows the phases', async () => {
  const server = await httpServer((request, response, body) => {
    response.end(`${request.method ?? ''} ${String(request.headers['x-a'])} ${String(request.headers['x-b'])} ${body}`);
  });
  const url = `http://127.0.0.1:${server.port}/`;
  const request = ['--method', 'post', '--header', 'X-A: 1', '--header', 'X-B: 2:3', '--body', 'hi'];
  const { code, lines } = await uptrailProbe(['api', url, ...request, '--search-text', 'POST 1 2:3 hi']);
  assert.is(code, 0);
  assert.is(lines[0], 'ok');
  const text = lines.join('\n');
  assert.match(text, /^status_code +200$/m);
  for (const phase of ['connect', 'first_byte', 'transfer', 'total'])
    assert.match(text, new RegExp(`^${phase} +\\d+ ms$`, 'm'));
  await server.close();
});

test('uptrail probe tcp --json runs a check over IPv6 and prints one JSON object', async () => {
  const server = await rawServer((socket) => socket.once('data', (chunk) => socket.write(chunk)), '::1');
  const target = `[::1]:${server.port}`;
  const { code, lines } = await uptrailProbe(['tcp', target, '--send-text', 'a', '--search-text', 'a', '--json']);
  assert.is(code, 0);
  assert.is(lines.length, 1);
  const printed = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  assert.equal([printed['type'], printed['target'], printed['status'], printed['reason']], ['tcp', target, 'ok', null]);
  assert.is((printed['check_metadata'] as Record<string, unknown>)['address'], '::1');
  await server.close();
});

test('uptrail probe shows why a target is down, and exits with 1', async () => {
  const target = `127.0.0.1:${await freePort()}`;
  const { code, lines } = await uptrailProbe(['tcp', target]);
  assert.is(code, 1);
  assert.is(lines[0], `down: Connection refused by ${target}.`);
});

test('uptrail probe tcp --tls trusts only the certificates of the named file', async () => {
  if (!hasOpenssl()) {
    console.log('skipped: openssl is not installed');
    return;
  }
  const authority = createAuthority();
  const server = createServer(authority.make('own', { names: 'IP:127.0.0.1' }), (socket) => socket.end('hello'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const target = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const words = ['tcp', target, '--tls', '--search-text', 'hello', '--ca-certificate'];
  const { code, lines } = await uptrailProbe([...words, authority.file('root.crt')]);
  assert.is(code, 0, lines.join('\n'));
  assert.match(lines.join('\n'), /^tls +TLSv1\.3 TLS_\w+, the certificate expires on 2099-01-01$/m);
  assert.match(await refusal(...words, authority.file('root.key')), /^parameters\.ca_certificate: Must be one to 20 /);
  assert.match(await refusal(...words, 'no-such-file'), /'no-such-file' is invalid\. Cannot read the file: ENOENT/);
  await new Promise((closed) => server.close(closed));
  authority.close();
});

test('uptrail probe web evaluates assertions, and shows redirects and the beginning of a failed body', async () => {
  const server = await httpServer(({ url }, response) => {
    if (url === '/') response.writeHead(302, { location: '/there?a=1' }).end();
    else response.end('line one\nline two');
  });
  const target = `http://127.0.0.1:${server.port}/`;
  const { code, lines } = await uptrailProbe(['web', target, '--assertions', '{"search_text_absent": "two"}']);
  const unfollowed = await uptrailProbe(['web', target, '--no-follow-redirects', '--json']);
  await server.close();
  assert.is(code, 1);
  assert.is(lines[0], 'failed: Text "two" was found in the response.');
  const text = lines.join('\n');
  assert.match(text, /^http_version +1\.1$/m);
  assert.match(text, new RegExp(`^ {2}302 +${target}there\\?…$`, 'm'));
  assert.equal(lines.slice(-3), ['', 'line one', 'line two']);
  assert.is(unfollowed.code, 0);
  assert.match(unfollowed.lines.join(), '"status_code":302');
  assert.match(await refusal('web', target, '--assertions', '{'), /'--assertions <json>' .* It must be JSON\.$/);
  assert.match(await refusal('web', target, '--assertions', '[]'), /^parameters\.assertions: Must be an object\.$/);
  assert.is(
    await refusal('tcp', '127.0.0.1:9', '--assertions', '{}'),
    'Checks of type tcp have no option --assertions.',
  );
});

test('uptrail probe accepts all parameters as JSON, and options override them', async () => {
  const server = await httpServer((request, response, body) => {
    response.end(`${request.method ?? ''} ${String(request.headers['x-a'])} ${body}`);
  });
  const url = `http://127.0.0.1:${server.port}/`;
  const parameters = '{"http_request": {"method": "PUT", "headers": {"X-A": "1"}, "body": "a"}}';
  const words = ['web', url, '--parameters', parameters, '--body', 'b', '--search-text'];
  const { code } = await uptrailProbe([...words, 'PUT 1 b']);
  await server.close();
  assert.is(code, 0);
});

test('uptrail probe obeys the target policy of the environment', async () => {
  const { code, lines } = await uptrailProbe(['tcp', '127.0.0.1:9'], { TARGET_POLICY: 'public' });
  assert.is(code, 1);
  assert.match(lines[0] ?? '', /^failed: The target policy does not allow 127\.0\.0\.1 /);
});

test('uptrail probe rejects an invalid check with an error message that names the problem', async () => {
  assert.is(
    await refusal('smoke', 'x'),
    `The type "smoke" does not exist or cannot be run. Use one of ${TYPES.join(', ')}.`,
  );
  assert.match(await refusal('tcp', '127.0.0.1'), /^port: /);
  assert.match(await refusal('tcp', '127.0.0.1:70000'), /^port: /);
  assert.is(
    await refusal('portscan', '127.0.0.1:22'),
    'Checks of type portscan take a host without a port, such as 127.0.0.1.',
  );
  assert.match(await refusal('web', 'ftp://127.0.0.1/'), /^url: /);
  assert.match(await refusal('web', 'http://127.0.0.1/', '--timeout', 'x'), /^timeout: /);
  assert.match(await refusal('web', 'http://127.0.0.1/', '--timeout', '31'), /^timeout: /);
  assert.is(
    await refusal('dns', 'example.test', '--assertions', '{"domain_expiration_threshold": 5}'),
    'parameters.assertions.domain_expiration_threshold: Requires parameters.whois_lookup.',
  );
  assert.match(await refusal('web', 'http://127.0.0.1/', '--method', 'BREW'), /^parameters\.http_request\.method: /);
  assert.is(
    await refusal('web', 'http://127.0.0.1/', '--send-text', 'x'),
    'Checks of type web have no option --send-text.',
  );
  assert.is(await refusal('tcp', '127.0.0.1:9', '--method', 'GET'), 'Checks of type tcp have no option --method.');
  assert.match(await refusal('web', 'http://127.0.0.1/', '--header', 'x'), /Write a header as "Name: value"\.$/);
  assert.match(await refusal('tcp', '127.0.0.1:9', '--parameters', '[]'), /It must be a JSON object\.$/);
  assert.is(
    await refusal('tcp', '127.0.0.1:9', '--parameters', '{"method": "GET"}'),
    'Checks of type tcp have no parameter method.',
  );
});

test.run();
