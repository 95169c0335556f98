import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Document } from '../../../../stores/read-store/port.ts';
import { eventually, realPause } from '../../../waiting.ts';
import { startService } from '../../service.ts';

const test = suite('long lists of incidents');

const COUNT = 60;
const BODY = 'It does not work. '.repeat(1_300);

const service = await startService();
test.after(() => service.stop());

const pageWith = async (incidents: number): Promise<string> => {
  const page = String((await service.request('POST', '/v1/pages', { body: { name: 'Acme' } })).headers.location);
  await service.request('POST', `${page}/components`, { body: { name: 'Web' } });
  for (let n = 0; n < incidents; n++) {
    const body = { name: `Incident ${n}`, body: BODY, status: 'investigating', components: {} };
    assert.is((await service.request('POST', `${page}/incidents`, { body })).status, 201);
  }
  return page;
};
const page = await pageWith(COUNT);
const path = `${page}/incidents`;

/** Counts the incidents that are read, and makes them longer with `lengthen`. */
const observe = (lengthen: (incident: Document) => Document = (incident) => incident) => {
  const original = service.readStore.get.bind(service.readStore);
  const seen = { read: 0 };
  service.readStore.get = async (generation, collection, ids, options) => {
    const found = await original(generation, collection, ids, options);
    if (collection !== 'incidents') return found;
    seen.read += found.length;
    return found.map(lengthen);
  };
  return {
    seen,
    end: () => {
      service.readStore.get = original;
    },
  };
};

test('a long list of incidents is streamed, and contains the same bytes as the responses about the individual incidents', async () => {
  for (const list of [path, `${path}/unresolved`]) {
    const { text, headers, json } = await service.request('GET', list);
    const listed = json() as { id: string }[];
    assert.is(listed.length, COUNT);
    assert.is(headers['content-length'], undefined);
    const each: string[] = [];
    for (const { id } of listed) each.push((await service.request('GET', `${path}/${id}`)).text);
    assert.is(text, `[${each.join(',')}]`);
  }
});

test('the ETag of a long list of incidents is compared without reading the incidents', async () => {
  const first = await service.request('GET', path);
  const tag = String(first.headers.etag);
  assert.match(tag, /^W\//);
  await service.request('POST', '/v1/pages', { body: { name: 'Another' } });
  const { seen, end } = observe();
  const again = await service.request('GET', path, { headers: { 'if-none-match': tag } });
  end();
  assert.equal([again.status, again.text, seen.read], [304, '', 0]);
  assert.is((await service.request('HEAD', path)).headers.etag, tag);
});

test('the ETag of a long list changes with an incident or its components', async () => {
  const tagNow = async (): Promise<string> => String((await service.request('GET', path)).headers.etag);
  const tags = [await tagNow()];
  const [incident] = (await service.request('GET', path)).json() as { id: string }[];
  await service.request('PATCH', `${path}/${incident?.id ?? ''}`, { body: { name: 'Renamed' } });
  tags.push(await tagNow());
  const [component] = (await service.request('GET', `${page}/components`)).json() as { id: string }[];
  await service.request('PATCH', `${page}/components/${component?.id ?? ''}`, { body: { name: 'Site' } });
  tags.push(await tagNow());
  assert.is(new Set(tags).size, 3);
});

test('the response with a short list of incidents has a Content-Length, and its ETag is a hash', async () => {
  const { headers, text } = await service.request('GET', `${path}/maintenance`);
  assert.is(text, '[]');
  assert.is(headers['content-length'], '2');
  assert.match(String(headers.etag), /^W\/"[\w+/]{27}"$/);
  const again = await service.request('GET', `${path}/maintenance`, {
    headers: { 'if-none-match': String(headers.etag) },
  });
  assert.is(again.status, 304);
});

test('a long list of incidents is read on demand, and reading stops when the client disconnects', async () => {
  const { seen, end } = observe((incident) => ({ ...incident, name: 'x'.repeat(2_000_000) }));
  const { editor } = service.first.keys;
  const outgoing = get({ host: '127.0.0.1', port: service.port, path, headers: { authorization: editor } });
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  assert.is(incoming.statusCode, 200);
  // The client reads nothing, so the list is read until all buffers are full.
  let before = -1;
  await eventually(async () => {
    const isFull = seen.read > 2 && seen.read === before;
    before = seen.read;
    await realPause(50, 'what the client does not take is no longer read');
    return isFull;
  });
  incoming.destroy();
  await service.request('GET', `${path}/maintenance`);
  end();
  assert.ok(seen.read < COUNT / 2, `${seen.read} were read`);
  assert.not.ok(service.logged.some((line) => line.includes('"level":50')));
});

test.run();
