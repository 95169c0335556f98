import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Value } from '@sinclair/typebox/value';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Outcome } from '../../../probes/engine/check-type.ts';
import { WebMetadata } from '../../../domain/check/types/web.ts';
import { createAuthority, hasOpenssl } from './certificates.ts';
import { verdictOf, ok, probe, type TestRunOptions } from './probing.ts';
import { httpServer, saying, type Handler } from './servers.ts';

const test = suite('facts in the results of web checks');

/** Runs a check of a server. In the returned outcome, the address of the server is replaced by `{url}`. */
const against = async (handle: Handler, parameters: TestRunOptions['parameters'] = {}, path = '/') => {
  const server = await httpServer(handle);
  const url = `http://127.0.0.1:${server.port}`;
  const outcome = await probe(`${url}${path}`, { parameters });
  await server.close();
  assert.equal([...Value.Errors(WebMetadata, outcome.check_metadata)], []);
  return JSON.parse(JSON.stringify(outcome).replaceAll(url, '{url}')) as Outcome;
};

const redirecting: Handler = ({ url }, response) => {
  if (url === '/a') response.writeHead(301, { location: '/b?token=secret' }).end();
  else if (url?.startsWith('/b')) response.writeHead(302, { location: 'c#part' }).end();
  else response.end('the last page');
};

test('the result of a web check shows redirects without possible secrets', async () => {
  const { check_metadata } = await against(redirecting, {}, '/a');
  assert.is(check_metadata['final_url'], '{url}/c');
  assert.is(check_metadata['redirects'], 2);
  assert.equal(check_metadata['redirect_chain'], [
    { status_code: 301, url: '{url}/b?…' },
    { status_code: 302, url: '{url}/c' },
  ]);
});

test('the result of a web check shows a redirect that is not followed as the last response', async () => {
  const outcome = await against(redirecting, { follow_redirects: false }, '/a');
  assert.equal(verdictOf(outcome), ok);
  const { status_code, final_url, redirects, redirect_chain } = outcome.check_metadata;
  assert.equal([status_code, final_url, redirects, redirect_chain], [301, '{url}/a', undefined, undefined]);
  const asserted = {
    follow_redirects: false,
    assertions: { status_codes: [301], headers: { Location: '/b?token=secret' } },
  };
  assert.equal(verdictOf(await against(redirecting, asserted, '/a')), ok);
});

test('credentials in the path of a redirect are masked before the path is shortened', async () => {
  const key = 'k'.repeat(150);
  const http_request = { headers: { 'X-Api-Key': key } };
  const handle: Handler = ({ url }, response) => {
    if (url === '/') response.writeHead(302, { location: `/${'x'.repeat(100)}/${key}/` }).end();
    else response.end();
  };
  const { check_metadata } = await against(handle, { http_request });
  assert.is(check_metadata['final_url'], `{url}/${'x'.repeat(100)}/********/`);
});

test('the result of a web check shows the size of the compressed body, even if reading ended early', async () => {
  const sizeOf = async (handle: Handler, parameters = {}) =>
    (await against(handle, parameters)).check_metadata['body_size'];
  assert.is(await sizeOf((_, response) => response.end('żółć')), 8);
  assert.is(await sizeOf((_, response) => response.end()), 0);
  const packed = gzipSync('x'.repeat(100_000));
  const gzip: Handler = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
  assert.is(await sizeOf(gzip), packed.length);
  // The first response states the length of its body in a Content-Length header, and the second response does not.
  const search_text = 'found';
  const large = saying(
    `HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nfound ${'x'.repeat(1_000)}`,
  );
  const endless = saying('HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nfound');
  for (const [opening, size] of [
    [large, 5_000_000],
    [endless, null],
  ] as const) {
    const server = await opening;
    const outcome = await probe(`http://127.0.0.1:${server.port}/`, { parameters: { search_text } });
    await server.close();
    assert.equal(verdictOf(outcome), ok);
    assert.is(outcome.check_metadata['body_size'], size);
  }
});

test('the result of a web check shows the beginning of the body only if the check failed', async () => {
  const page = (status: number, body: string | Buffer, headers = {}): Handler => {
    return (_, response) => response.writeHead(status, headers).end(body);
  };
  const excerptOf = async (handle: Handler, parameters = {}) =>
    (await against(handle, parameters)).check_metadata['body_excerpt'];
  assert.is(await excerptOf(page(200, 'fine')), undefined);
  assert.is(await excerptOf(page(500, '')), undefined);
  assert.is(await excerptOf(page(500, 'Stack trace: żółć')), 'Stack trace: żółć');
  assert.is(await excerptOf(page(200, 'sorry'), { search_text: 'welcome' }), 'sorry');
  assert.ok((await excerptOf(page(500, 'ż'.repeat(100_000)))) === 'ż'.repeat(1_024));
  assert.ok((await excerptOf(page(500, '日'.repeat(100_000)))) === '日'.repeat(1_024));
  assert.is(await excerptOf(page(500, gzipSync('packed'), { 'content-encoding': 'gzip' })), 'packed');
  assert.is(
    await excerptOf(page(500, Buffer.from([0xfc, 0x62]), { 'content-type': 'text/plain; charset=latin1' })),
    'üb',
  );
  assert.is(await excerptOf(page(500, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0]))), '[binary]');
  assert.is(await excerptOf(page(500, Buffer.alloc(2_000, 0xff))), '[binary]');
});

test('the beginning of the body in a result contains no credentials of the check, not even partly', async () => {
  const secret = `s3cret-${'q'.repeat(8_000)}`;
  const http_request = { headers: { 'X-Api-Key': secret }, username: 'user', password: 'p4ssword' };
  for (const before of [0, 1_000, 1_020, 155_000, 163_000]) {
    const echo: Handler = ({ headers }, response) => {
      const output = `${'x'.repeat(before)}${String(headers['x-api-key'])} ${String(headers.authorization)}`;
      response.writeHead(403).end(output.repeat(4));
    };
    const { check_metadata } = await against(echo, { http_request });
    const excerpt = String(check_metadata['body_excerpt']);
    assert.ok(excerpt.length <= 1_024);
    for (const part of ['s3cret', 'qqqq', 'Basic dXNl', 'p4ss', 'dXNlcjpwNHNzd29yZA'])
      assert.not.ok(excerpt.includes(part), `${part} after ${before}`);
  }
});

test('assertions of a web check apply to the last response', async () => {
  const handle: Handler = (_, response) =>
    response.writeHead(418, { 'content-type': 'application/json' }).end('{"status": "ok", "queue": 3}');
  const assertions = {
    status_codes: [200, '400-420'],
    search_text_absent: 'error',
    max_response_time: 60_000,
    json: [
      { path: '$.status', value: 'ok' },
      { path: '$.queue', operator: 'less_than', value: 4 },
    ],
    headers: { 'content-type': { contains: 'json' }, server: null },
  };
  assert.equal(verdictOf(await against(handle, { assertions })), ok);
  const broken = await against(handle, {
    search_text: 'missing',
    assertions: {
      ...assertions,
      search_text_absent: 'queue',
      json: [{ path: '$.queue', value: 4 }],
      min_certificate_days: 1,
    },
  });
  assert.equal(verdictOf(broken), {
    status: 'failed',
    reason: 'content',
    error_message:
      'Text "missing" was not found in the response. Text "queue" was found in the response. ' +
      'The connection has no certificate: the URL is not https. $.queue is 3, not 4.',
  });
  assert.ok(Number.isInteger(broken.response_time));
  assert.is(broken.check_metadata['body_excerpt'], '{"status": "ok", "queue": 3}');
});

test('a web check searches the whole body for a forbidden text, even if it has already found a required text', async () => {
  const late = ['first', 'x'.repeat(200_000), 'fatal'].join(' ');
  const handle: Handler = (_, response) => response.end(late);
  const both = { search_text: 'first', assertions: { search_text_absent: 'fatal' } };
  assert.is((await against(handle, both)).error_message, 'Text "fatal" was found in the response.');
  assert.equal(verdictOf(await against(handle, { ...both, assertions: { search_text_absent: 'fatale' } })), ok);
});

test('a web check reads JSON up to 1 MiB, even after a text was found', async () => {
  const json = (length: number): Handler => {
    return (_, response) => response.end(JSON.stringify({ a: 'first', rest: 'x'.repeat(length), last: 1 }));
  };
  const parameters = { search_text: 'first', assertions: { json: [{ path: '$.last', value: 1 }] } };
  assert.equal(verdictOf(await against(json(1_000_000), parameters)), ok);
  assert.equal(verdictOf(await against(json(1_100_000), parameters)), {
    status: 'failed',
    reason: 'json',
    error_message: 'The response is larger than 1 MiB, so its JSON was not read.',
  });
  const unread: Handler = (_, response) => response.writeHead(200, { 'content-encoding': 'compress' }).end('{}');
  assert.is(
    (await against(unread, { assertions: { json: [{ path: '$' }] } })).error_message,
    'The response is encoded as "compress", which can\'t be read.',
  );
});

test('the result of a web check shows TLS facts and the remaining time of the certificate', async () => {
  if (!hasOpenssl()) {
    console.log('skipped: openssl is not installed');
    return;
  }
  const authority = createAuthority();
  const soon = new Date(Date.now() + 10.5 * 86_400_000);
  const until = `${soon.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  const server = createHttpsServer(authority.make('soon', { names: 'IP:127.0.0.1', until }), (_, response) => {
    response.end('secure');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const asking = (min_certificate_days: number) =>
    probe(url, { parameters: { ca_certificate: authority.root, assertions: { min_certificate_days } } });
  const outcome = await asking(10);
  const late = await asking(11);
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  authority.close();
  assert.equal(verdictOf(outcome), ok);
  assert.equal([...Value.Errors(WebMetadata, outcome.check_metadata)], []);
  const { version, not_after, days_left } = outcome.check_metadata['tls'] as Record<string, unknown>;
  assert.equal([version, not_after, days_left], ['TLSv1.3', `${soon.toISOString().slice(0, 19)}.000000`, 10]);
  assert.equal(verdictOf(late), {
    status: 'failed',
    reason: 'certificate',
    error_message: `The certificate expires on ${soon.toISOString().slice(0, 10)}, in 10 days, less than 11.`,
  });
});

test('the result of a web check shows an issuer that expires before the server’s certificate', async () => {
  if (!hasOpenssl()) {
    console.log('skipped: openssl is not installed');
    return;
  }
  const authority = createAuthority();
  const soon = new Date(Date.now() + 3.5 * 86_400_000);
  const until = `${soon.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  const issuer = authority.make('issuer', { names: '', until, authority: true });
  const leaf = authority.make('leaf', { names: 'IP:127.0.0.1', by: 'issuer' });
  const server = createHttpsServer({ key: leaf.key, cert: leaf.cert + issuer.cert }, (_, response) => {
    response.end('secure');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const parameters = { ca_certificate: authority.root, assertions: { min_certificate_days: 7 } };
  // The second run takes the issuer from the cache.
  const outcomes = [await probe(url, { parameters }), await probe(url, { parameters })];
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  authority.close();
  const day = soon.toISOString().slice(0, 10);
  for (const outcome of outcomes) {
    assert.equal(verdictOf(outcome), {
      status: 'failed',
      reason: 'certificate',
      error_message: `The certificate of the issuer "issuer" expires on ${day}, in 3 days, less than 7.`,
    });
    assert.equal([...Value.Errors(WebMetadata, outcome.check_metadata)], []);
    const { issuer_expires_first } = outcome.check_metadata['tls'] as Record<string, unknown>;
    assert.equal(issuer_expires_first, {
      subject: 'issuer',
      not_after: `${soon.toISOString().slice(0, 19)}.000000`,
      days_left: 3,
    });
  }
});

test.run();
