import type { IncomingHttpHeaders } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstRequest, redirected } from '../../../probes/web/request.ts';
import { verdictOf, ok, probe } from './probing.ts';
import { httpServer, type Opened } from './servers.ts';

const redirects = suite('redirects of web checks');

interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Starts a server that redirects the paths in a table, and responds with 200 to all others. */
const redirecting = async (table: Record<string, [number, string]>) => {
  const requested: Asked[] = [];
  const server = await httpServer(({ method = '', url: path = '', headers }, response, body) => {
    requested.push({ method, path, headers, body });
    const redirect = table[path];
    if (redirect) response.writeHead(redirect[0], { location: redirect[1] }).end('elsewhere');
    else response.end('here it is');
  });
  return { asked: requested, url: urlOf(server), close: server.close };
};
const urlOf = ({ port }: Pick<Opened, 'port'>): string => `http://127.0.0.1:${port}`;

const failed = (error_message: string) => ({ status: 'failed', reason: 'redirect', error_message });

redirects('a web check follows redirects to relative and absolute addresses, and counts the redirects', async () => {
  const server = await redirecting({
    '/a': [301, '/b?c=d#fragment'],
    '/b?c=d': [302, 'deeper/e'],
    '/deeper/e': [307, './f'],
  });
  const followed = await probe(`${server.url}/a`, { parameters: { search_text: 'here it is' } });
  await server.close();
  assert.equal(verdictOf(followed), ok);
  assert.equal(
    server.asked.map(({ path }) => path),
    ['/a', '/b?c=d', '/deeper/e', '/deeper/f'],
  );
  assert.is(followed.check_metadata['redirects'], 3);
  assert.is(followed.check_metadata['status_code'], 200);
});

redirects('the status of a redirect determines the method of the next request', async () => {
  const cases: [number, string, string][] = [
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [301, 'PUT', 'PUT'],
    [302, 'DELETE', 'DELETE'],
    [307, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH'],
  ];
  for (const [status, method, then] of cases) {
    const server = await redirecting({ '/a': [status, '/b'] });
    await probe(`${server.url}/a`, {
      parameters: { http_request: { method, body: 'body', headers: { 'Content-Type': 'text/x' } } },
    });
    await server.close();
    const [, second] = server.asked;
    if (!second) throw new Error('The redirect was not followed.');
    assert.is(second.method, then, `${method} ${status}`);
    const stored = then === method && then !== 'HEAD' ? 'body' : method === 'HEAD' ? 'body' : '';
    assert.is(second.body, stored, `${method} ${status}`);
    assert.is(second.headers['content-type'], stored === '' ? undefined : 'text/x');
  }
});

redirects(
  'a web check treats a response as final if its status is not that of a redirect, or if it has no Location',
  async () => {
    for (const status of [300, 304, 305, 306]) {
      const server = await redirecting({ '/a': [status, '/b'] });
      assert.is((await probe(`${server.url}/a`)).check_metadata['status_code'], status);
      await server.close();
    }
    const silent = await httpServer((_, response) => response.writeHead(302).end());
    const outcome = await probe(urlOf(silent));
    await silent.close();
    assert.equal(verdictOf(outcome), ok);
    assert.is(outcome.check_metadata['status_code'], 302);
  },
);

const credentials = {
  username: 'user',
  password: 'password',
  headers: {
    Cookie: 'session=1',
    'X-Api-Key': 'key',
    'Proxy-Authorization': 'Basic x',
    Host: 'shop.example',
    'PRIVATE-TOKEN': 't',
    'X-Anything': 'a',
    'Accept-Language': 'de',
  },
};
const SECRET = ['authorization', 'cookie', 'x-api-key', 'proxy-authorization', 'private-token', 'x-anything'];

redirects('a web check sends credentials to all pages of an origin', async () => {
  const server = await redirecting({ '/a': [302, '/b'] });
  await probe(`${server.url}/a`, { parameters: { http_request: credentials } });
  await server.close();
  for (const name of [...SECRET, 'accept-language']) assert.ok(server.asked[1]?.headers[name], name);
});

redirects(
  'a web check does not send credentials to another origin, nor to the original one after a redirect back from there',
  async () => {
    const first = await redirecting({ '/a': [302, 'set below'] });
    const other = await redirecting({ '/b': [302, `${first.url}/c`] });
    const table = await redirecting({ '/a': [302, `${other.url}/b`] });
    const outcome = await probe(`${table.url}/a`, { parameters: { http_request: credentials } });
    assert.equal(verdictOf(outcome), ok);
    const [there] = other.asked;
    const [back] = first.asked;
    for (const requested of [there, back]) {
      for (const name of SECRET) assert.is(requested?.headers[name], undefined, name);
      assert.is(requested?.headers['accept-language'], 'de');
    }
    assert.is(there?.headers.host, new URL(other.url).host);
    await Promise.all([first, other, table].map(({ close }) => close()));
  },
);

redirects('a web check ignores credentials in the address of a redirect', async () => {
  const server = await redirecting({});
  const first = await redirecting({ '/a': [302, `${server.url.replace('//', '//eve:secret@')}/b`] });
  await probe(`${first.url}/a`);
  assert.is(server.asked[0]?.headers.authorization, undefined);
  await Promise.all([server, first].map(({ close }) => close()));
});

redirects(
  'after a redirect from https to http, a web check sends neither the body nor secret headers of its configuration',
  () => {
    const request = firstRequest('https://shop.example/a', {
      method: 'POST',
      body: 'secret',
      username: 'user',
      headers: { 'X-Token': 'secret', 'Accept-Language': 'de', 'Content-Type': 'text/x' },
    });
    const next = redirected(request, 302, new URL('http://shop.example/b'));
    assert.is(next.body, null);
    assert.equal(Object.keys(next.headers).sort(), ['accept', 'accept-encoding', 'accept-language', 'user-agent']);
  },
);

redirects('a web check reports a redirect loop', async () => {
  const server = await redirecting({ '/start': [302, '/a'], '/a': [302, '/b?secret=1'], '/b?secret=1': [302, '/a'] });
  const outcome = await probe(`${server.url}/start`);
  assert.equal(verdictOf(outcome), failed(`Redirect loop: ${server.url}/a → ${server.url}/b?… → ${server.url}/a.`));
  assert.is(server.asked.length, 3);
  assert.is(outcome.response_time, null);
  await server.close();
});

redirects('a POST that returns to the same page as a GET is not a redirect loop', async () => {
  let posted = false;
  const server = await httpServer(({ method }, response) => {
    if (method === 'POST') response.writeHead(303, { location: '/' }).end();
    else response.end('done');
    posted ||= method === 'POST';
  });
  assert.equal(verdictOf(await probe(urlOf(server), { parameters: { http_request: { method: 'POST' } } })), ok);
  assert.ok(posted);
  await server.close();
});

redirects('a web check follows up to ten redirects', async () => {
  const table = (n: number): Record<string, [number, string]> =>
    Object.fromEntries(Array.from({ length: n }, (_, i) => [`/${i}`, [302, `/${i + 1}`]]));
  const ten = await redirecting(table(10));
  assert.equal(verdictOf(await probe(`${ten.url}/0`)), ok);
  await ten.close();
  const eleven = await redirecting(table(11));
  assert.equal(
    verdictOf(await probe(`${eleven.url}/0`)),
    failed(`More than 10 redirects, the last one to ${eleven.url}/11.`),
  );
  assert.is(eleven.asked.length, 11);
  await eleven.close();
});

redirects('a web check ignores empty Location headers, and uses the first Location that is not empty', async () => {
  const notes = ['An empty Location header was ignored.'];
  for (const [location, text] of [
    [[''], 'elsewhere'],
    [['', ' '], 'elsewhere'],
    [['', '/b', '/c'], 'at /b'],
    [['/c', ''], 'at /c'],
  ] as const) {
    const server = await httpServer(({ url }, response) => {
      if (url === '/a') response.setHeader('location', location).writeHead(302).end('elsewhere');
      else response.end(`at ${String(url)}`);
    });
    const outcome = await probe(`${urlOf(server)}/a`, { parameters: { search_text: text } });
    await server.close();
    assert.equal(verdictOf(outcome), ok, String(location));
    assert.equal(outcome.check_metadata['notes'], notes);
  }
});

redirects('a web check does not follow a redirect to a URL that is invalid or is not http or https', async () => {
  const cases: [string, string][] = [
    ['ftp://example.com/file', 'The redirect leads to a ftp URL, which is not http or https.'],
    ['javascript:alert(1)', 'The redirect leads to a javascript URL, which is not http or https.'],
    ['file:///etc/passwd', 'The redirect leads to a file URL, which is not http or https.'],
    ['http://', 'The redirect leads to an address that is not a URL.'],
    ['http://exa mple/', 'The redirect leads to an address that is not a URL.'],
  ];
  for (const [location, sentence] of cases) {
    const server = await redirecting({ '/a': [302, location] });
    assert.equal(verdictOf(await probe(`${server.url}/a`)), failed(sentence), location);
    await server.close();
  }
});

redirects('a web check applies the target policy to each redirect', async () => {
  const cases: [string, string][] = [
    ['http://169.254.169.254/latest', 'The target policy does not allow 169.254.169.254 (link-local).'],
    ['http://0xA9FEA9FE/', 'The target policy does not allow 169.254.169.254 (link-local).'],
    ['http://2852039166/', 'The target policy does not allow 169.254.169.254 (link-local).'],
    ['http://[::ffff:169.254.169.254]/', 'The target policy does not allow ::ffff:a9fe:a9fe (link-local).'],
    ['http://metadata.test/', 'The target policy does not allow metadata.test at fd00:ec2::254 (cloud metadata).'],
  ];
  for (const [location, error_message] of cases) {
    const server = await redirecting({ '/a': [302, location] });
    const outcome = await probe(`${server.url}/a`, { hosts: { 'metadata.test': ['fd00:ec2::254', '169.254.1.1'] } });
    assert.equal(verdictOf(outcome), { status: 'failed', reason: 'target', error_message });
    assert.is(outcome.check_metadata['connected'], false);
    await server.close();
  }
});

redirects(
  'a web check resolves the host of each redirect again, and connects only to the evaluated address',
  async () => {
    const server = await redirecting({ '/a': [302, '/b'] });
    const { port } = new URL(server.url);
    const answers = [['169.254.169.254', '127.0.0.1'], ['127.0.0.1']];
    let requested = 0;
    const outcome = await probe(`http://moving.test:${port}/a`, {
      resolve: async () => {
        requested += 1;
        return (answers.shift() ?? []).map((address) => ({ address, family: 4 as const }));
      },
    });
    assert.equal(verdictOf(outcome), ok);
    assert.is(requested, 2);
    await server.close();
  },
);

redirects.run();
