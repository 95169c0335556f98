import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BROWSER } from '../subscribed-site.ts';
import { startService, type Service } from '../../api/service.ts';
import { request, type Reply } from '../../api/http.ts';
import { assertWellFormedHtml, loadedFrom } from '../html-assertions.ts';

const test = suite('the front page of the service');

const service = await startService({ publicUrl: 'https://status.example.org' });
test.after(() => service.stop());

const visit = (headers: Record<string, string> = {}, host: Service = service, method = 'GET'): Promise<Reply> =>
  request(host.port, { method, path: '/', headers: { accept: BROWSER, ...headers } });

let made = 0;
const makePage = async (fields: object, owner: Service = service): Promise<string> => {
  const body = { name: 'Acme', subdomain: `page-${made++}`, ...fields };
  const reply = await owner.request('POST', '/v1/pages', { body });
  assert.is(reply.status, 200, reply.text);
  return (reply.json() as { id: string }).id;
};

test('the front page shows that the service is running, and links to the documentation', async () => {
  const { status, headers, text } = await visit();
  assert.is(status, 200);
  assert.is(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(text, 'This service is running.');
  assert.match(text, 'href="docs"');
  assert.match(text, 'href="console"');
  assertWellFormedHtml(text);
  for (const address of loadedFrom(text)) assert.match(address, /^(?:site\/assets\/[\w.-]+$|data:image\/svg\+xml,)/);
});

test('the front page lists public pages by name, and escapes their texts', async () => {
  await makePage({ name: 'Zebra', subdomain: 'zebra' });
  await makePage({ name: '<script>alert(1)</script>', subdomain: 'hostile' });
  const { text } = await visit();
  const listed = [...text.matchAll(/<a href="status\/([a-z0-9-]+)"><bdi>(.*?)<\/bdi>/g)].map(([, ...found]) => found);
  assert.equal(listed, [
    ['hostile', '&lt;script>alert(1)&lt;/script>'],
    ['zebra', 'Zebra'],
  ]);
});

test('the front page lists the pages of every organization', async () => {
  const body = { name: 'Of the second', subdomain: 'of-the-second' };
  await service.request('POST', '/v1/pages', { key: service.second.keys.editor, body });
  assert.match((await visit()).text, 'Of the second');
});

test('the front page stops listing a page as soon as it is hidden, private, restricted, protected or deleted', async () => {
  const restrictions: [name: string, change: object][] = [
    ['Hidden', { hidden_from_search: true }],
    ['Private', { viewers_must_be_team_members: true }],
    ['Restricted', { ip_restrictions: '127.0.0.0/8' }],
  ];
  for (const [name, change] of restrictions) {
    const id = await makePage({ name });
    assert.match((await visit()).text, name);
    await service.request('PATCH', `/v1/pages/${id}`, { body: change });
    assert.not.match((await visit()).text, name);
    assert.not.match((await visit({ accept: 'application/json' })).text, name);
    await service.request('PATCH', `/v1/pages/${id}`, {
      body: { hidden_from_search: false, viewers_must_be_team_members: false, ip_restrictions: null },
    });
    assert.match((await visit()).text, name);
  }
  const withPassword = await makePage({ name: 'Protected' });
  await service.request('POST', `/v1/pages/${withPassword}/passwords`, {
    body: { name: 'Press', password: 'correct horse battery' },
  });
  const deleted = await makePage({ name: 'Deleted' });
  await service.request('DELETE', `/v1/pages/${deleted}`);
  const { text } = await visit();
  assert.not.match(text, 'Protected');
  assert.not.match(text, 'Deleted');
});

test('the front page is JSON with absolute URLs if the client accepts only JSON', async () => {
  const reply = await visit({ accept: 'application/json' });
  assert.is(reply.headers['content-type'], 'application/json; charset=utf-8');
  assert.is(reply.headers['vary'], 'Accept, Accept-Language');
  const { pages, ...rest } = reply.json() as { pages: { name: string; url: string }[] };
  assert.equal(rest, {
    service: 'Uptrail',
    status: 'running',
    console: 'https://status.example.org/console',
    documentation: 'https://status.example.org/docs',
    openapi: 'https://status.example.org/openapi.json',
    health: 'https://status.example.org/health/ready',
  });
  assert.equal(
    pages.find(({ name }) => name === 'Zebra'),
    { name: 'Zebra', url: 'https://status.example.org/status/zebra' },
  );
  await makePage({ name: 'Own domain', domain: 'Status.Globex.example' });
  const { pages: further } = (await visit({ accept: 'application/json' })).json() as { pages: typeof pages };
  assert.is(further.find(({ name }) => name === 'Own domain')?.url, 'https://status.globex.example');
  assert.match((await visit({ accept: '*/*' })).headers['content-type'] ?? '', /^text\/html/);
});

test('the front page is in the language of the browser', async () => {
  const { text } = await visit({ 'accept-language': 'de-CH,de;q=0.9' });
  assert.match(text, '<html lang="de"');
  assert.match(text, 'Dieser Dienst läuft.');
});

test('the front page must always be revalidated, and is not sent again while it is unchanged', async () => {
  const first = await visit();
  assert.is(first.headers['cache-control'], 'no-cache');
  const tag = first.headers['etag'] ?? '';
  const again = await visit({ 'if-none-match': tag });
  assert.is(again.status, 304);
  await makePage({ name: 'New' });
  assert.is((await visit({ 'if-none-match': tag })).status, 200);
});

test('the front page responds to HEAD as to GET but without a body, and rejects other methods', async () => {
  const head = await visit({}, service, 'HEAD');
  assert.is(head.status, 200);
  assert.is(head.text, '');
  assert.is(head.headers['etag'], (await visit()).headers['etag']);
  const posted = await visit({}, service, 'POST');
  assert.is(posted.status, 405);
  assert.is(posted.headers['allow'], 'GET, HEAD');
});

test('the front page lists no pages if FRONT_DOOR is plain', async () => {
  const plain = await startService({ frontDoor: 'plain' });
  try {
    await makePage({ name: 'Zebra' }, plain);
    const { text } = await visit({}, plain);
    assert.match(text, 'This service is running.');
    assert.not.match(text, 'Zebra');
    assert.not.match(text, 'status/');
    assert.not.ok('pages' in ((await visit({ accept: 'application/json' }, plain)).json() as object));
  } finally {
    await plain.stop();
  }
});

test('the front page reads the list of pages once for any number of visits', async () => {
  const { readStore } = service;
  const find = readStore.find.bind(readStore);
  let finds = 0;
  readStore.find = (...parameters) => {
    finds += parameters[0].projection.startsWith('pages@') ? 1 : 0;
    return find(...parameters);
  };
  try {
    await makePage({ name: 'One more' });
    finds = 0;
    for (let visits = 0; visits < 5; visits += 1) await visit({ 'accept-language': visits % 2 === 0 ? 'fr' : 'en' });
    assert.is(finds, 1);
  } finally {
    readStore.find = find;
  }
});

test.run();
