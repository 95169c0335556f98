import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCookies } from '../../../probes/web/cookies.ts';
import { verdictOf, ok, probe } from './probing.ts';
import { httpServer } from './servers.ts';

const test = suite('cookies of web checks');

interface Answer {
  to?: string;
  set?: string[];
}

/** Starts a server that responds to each path as `answers` says. Records the `Cookie` header of each request. */
const serving = async (answers: Record<string, Answer>) => {
  const requested: [path: string, cookie: string | undefined][] = [];
  const server = await httpServer(({ url = '', headers }, response) => {
    requested.push([url, headers.cookie]);
    const { to: where, set = [] } = answers[url] ?? {};
    const to = where?.replace('PORT', headers.host?.split(':')[1] ?? '');
    response.writeHead(to === undefined ? 200 : 302, { ...(to !== undefined && { location: to }), 'set-cookie': set });
    response.end('here');
  });
  return { asked: requested, server, port: server.port.toString() };
};

const HOSTS = Object.fromEntries(
  ['shop.example.com', 'www.shop.example.com', 'example.com', 'other.example', 'a.co.uk', 'b.co.uk'].map((host) => [
    host,
    ['127.0.0.1'],
  ]),
);

test('a web check sends the cookies of a redirect with later requests, even if a page redirects to itself', async () => {
  let requested = 0;
  const server = await httpServer(({ headers }, response) => {
    requested += 1;
    if (headers.cookie === 'consent=yes') response.end('welcome');
    else response.writeHead(302, { location: '/', 'set-cookie': 'consent=yes; Path=/; HttpOnly' }).end();
  });
  const outcome = await probe(`http://127.0.0.1:${server.port}/`, {
    parameters: { search_text: 'welcome' },
  });
  await server.close();
  assert.equal(verdictOf(outcome), ok);
  assert.is(requested, 2);
});

test('a web check reports a redirect to the same page with the same cookies as a loop', async () => {
  const { server, port, asked } = await serving({ '/': { to: '/', set: ['a=1'] } });
  const outcome = await probe(`http://127.0.0.1:${port}/`);
  await server.close();
  assert.is(outcome.reason, 'redirect');
  assert.match(outcome.error_message ?? '', /^Redirect loop: /);
  assert.is(asked.length, 2);
});

test('a web check sends cookies to their hosts and paths, but to no other site', async () => {
  const { server, port, asked } = await serving({
    '/1': {
      to: 'http://www.shop.example.com:PORT/2',
      set: ['own=1', 'wide=1; Domain=example.com', 'deep=1; Path=/deep'],
    },
    '/2': { to: 'http://other.example:PORT/3', set: ['foreign=1; Domain=other.example', 'secure=1; Secure'] },
    '/3': { to: 'http://shop.example.com:PORT/deep/4', set: ['there=1'] },
  });
  const outcome = await probe(`http://shop.example.com:${port}/1`, { hosts: HOSTS });
  await server.close();
  assert.equal(verdictOf(outcome), ok);
  assert.equal(asked, [
    ['/1', undefined],
    ['/2', 'wide=1'],
    ['/3', undefined],
    ['/deep/4', 'deep=1; own=1; wide=1'],
  ]);
});

const headersOf = (...set: string[]) => ({ 'set-cookie': set });

test('a web check accepts no cookie for all hosts of a public suffix', () => {
  const cookies = createCookies();
  cookies.take(new URL('http://a.co.uk/'), headersOf('all=1; Domain=co.uk', 'own=1'));
  assert.is(cookies.headerFor(new URL('http://a.co.uk/'), undefined), 'own=1');
  assert.is(cookies.headerFor(new URL('http://b.co.uk/'), undefined), undefined);
});

test('a web check sends the cookies of its configuration too, unless a server has set a cookie with the same name', () => {
  const cookies = createCookies();
  const url = new URL('http://shop.example.com/');
  assert.is(cookies.headerFor(url, 'a=own; b=own'), 'a=own; b=own');
  cookies.take(url, headersOf('b=new', 'c=new'));
  assert.is(cookies.headerFor(url, 'a=own; b=own'), 'a=own; b=new; c=new');
});

test('a web check drops cookies that browsers refuse, and limits their total size', () => {
  const cookies = createCookies();
  const url = new URL('http://shop.example.com/');
  cookies.take(url, headersOf(`long=${'x'.repeat(5_000)}`, '', '=', 'bad=\u0001', 'ok=żółć'));
  assert.is(cookies.headerFor(url, undefined), `ok=${Buffer.from('żółć').toString('latin1')}`);
  cookies.take(url, headersOf(...Array.from({ length: 200 }, (_, n) => `n${n}=${'x'.repeat(1_000)}`)));
  assert.ok((cookies.headerFor(url, undefined) ?? '').length <= 8_192);
});

test.run();
