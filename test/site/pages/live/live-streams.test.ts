import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService, type Service } from '../../../api/service.ts';
import { eventually, within } from '../../../waiting.ts';

const test = suite('event streams of status pages');

interface Message {
  event: string;
  id: string;
  data: unknown;
}

const messageIn = (text: string): Message => {
  const fields = new Map(text.split('\n').map((line) => [line.split(': ')[0], line.slice(line.indexOf(': ') + 2)]));
  return {
    event: fields.get('event') ?? '',
    id: fields.get('id') ?? '',
    data: JSON.parse(fields.get('data') ?? 'null') as unknown,
  };
};

/** Opens an event stream. Fails if the response is not a stream. */
const openStream = async (service: Service, subdomain: string, headers: Record<string, string> = {}, search = '') => {
  const path = `/status/${subdomain}/events${search}`;
  const outgoing = get({
    host: '127.0.0.1',
    port: service.port,
    path,
    headers: { accept: 'text/event-stream', ...headers },
  });
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  assert.is(incoming.statusCode, 200);
  assert.is(incoming.headers['content-type'], 'text/event-stream');
  let text = '';
  const state = { ended: false };
  incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
  incoming.on('close', () => (state.ended = true));
  const messages = (): Message[] =>
    text
      .split('\n\n')
      .slice(0, -1)
      .filter((one) => one.includes('event: '))
      .map(messageIn);
  return {
    text: () => text,
    messages,
    /** Waits until the stream has `count` messages. @returns the messages */
    have: async (count: number): Promise<Message[]> => {
      await eventually(() => messages().length >= count);
      return messages();
    },
    ended: () => eventually(() => state.ended),
    leave: () => incoming.destroy(),
  };
};

const create = async (service: Service, path: string, body: object, key?: string): Promise<string> => {
  const made = await service.request('POST', path, { body, ...(key !== undefined && { key }) });
  assert.ok(made.status < 300, made.text);
  return (made.json() as { id: string }).id;
};

const serving = async () => {
  const service = await startService({ now: Date.parse('2026-11-20T15:00:00Z') });
  const pageId = await create(service, '/v1/pages', { name: 'Acme', subdomain: 'acme' });
  const shop = await create(service, `/v1/pages/${pageId}/components`, { name: 'Shop' });
  return { service, pageId, shop };
};

const incident = (shop: string) => ({
  name: 'Down',
  body: 'It is.',
  status: 'investigating',
  components: { [shop]: 'major_outage' },
});

test('a change of a page is sent once to each of its event streams', async () => {
  const { service, pageId, shop } = await serving();
  const streams = await Promise.all([1, 2, 3].map(() => openStream(service, 'acme')));
  const [first] = (await Promise.all(streams.map(({ have }) => have(1)))).flat();
  assert.is(first?.event, 'ready');
  for (const { text } of streams) assert.match(text(), /^retry: \d{4}\n/);
  const id = await create(service, `/v1/pages/${pageId}/incidents`, incident(shop));
  for (const { have } of streams) {
    const [, ...changed] = await have(2);
    assert.ok(changed.every(({ event }) => event === 'changed'));
    const contents = changed.map(({ data }) => data as { kinds: string[]; ids: string[] });
    assert.ok(contents.some(({ kinds, ids }) => kinds.includes('incidents') && ids.includes(id)));
    assert.is.not(changed[0]?.id, first?.id);
  }
  await service.stop();
});

test('the event stream of a page contains nothing about other pages and organizations', async () => {
  const { service, pageId, shop } = await serving();
  const key = service.second.keys.editor;
  const other = await create(service, '/v1/pages', { name: 'Globex', subdomain: 'globex' }, key);
  const [acme, globex] = [await openStream(service, 'acme'), await openStream(service, 'globex')];
  await acme.have(1);
  await create(service, `/v1/pages/${pageId}/incidents`, incident(shop));
  await acme.have(2);
  await create(service, `/v1/pages/${other}/components`, { name: 'Search' }, key);
  const messages = await globex.have(2);
  assert.is(messages.length, 2);
  assert.equal((messages[1]?.data as { kinds: string[] }).kinds, ['components']);
  assert.not.match(globex.text(), shop);
  await service.stop();
});

test('a client that reconnects to the event stream is notified if it has missed changes', async () => {
  const { service, pageId, shop } = await serving();
  const before = await openStream(service, 'acme');
  const [{ id: known } = { id: '' }] = await before.have(1);
  before.leave();
  const unchanged = await openStream(service, 'acme', { 'last-event-id': known });
  assert.is((await unchanged.have(1))[0]?.event, 'ready');
  await create(service, `/v1/pages/${pageId}/incidents`, incident(shop));
  for (const missed of [
    await openStream(service, 'acme', { 'last-event-id': known }),
    await openStream(service, 'acme', {}, `?since=${known}`),
    await openStream(service, 'acme', { 'last-event-id': 'of-another-time' }),
  ]) {
    const [message] = await missed.have(1);
    assert.is(message?.event, 'changed');
    assert.equal((message?.data as { kinds: string[] }).kinds, ['page', 'components', 'incidents']);
  }
  await service.stop();
});

test('the event stream of a page ends when its visitor loses access', async () => {
  const { service, pageId } = await serving();
  const restricted = await openStream(service, 'acme');
  await restricted.have(1);
  await service.request('PATCH', `/v1/pages/${pageId}`, { body: { ip_restrictions: '192.0.2.1' } });
  await restricted.ended();
  assert.is(restricted.messages().length, 1);
  await service.request('PATCH', `/v1/pages/${pageId}`, { body: { ip_restrictions: null } });
  const password = { name: 'all', password: 'correct horse battery' };
  const open = await openStream(service, 'acme');
  const made = await service.request('POST', `/v1/pages/${pageId}/passwords`, { body: password });
  assert.ok(made.status < 300, made.text);
  await open.ended();
  const verified = await service.request('POST', `/v1/pages/${pageId}/verify-password`, { key: null, body: password });
  const { access_token: token } = verified.json() as { access_token: string };
  const granted = await openStream(service, 'acme', { authorization: `Bearer ${token}` });
  await create(service, `/v1/pages/${pageId}/components`, { name: 'Search' });
  await granted.have(2);
  const { id } = made.json() as { id: string };
  await service.request('DELETE', `/v1/pages/${pageId}/passwords/${id}`);
  await service.request('POST', `/v1/pages/${pageId}/passwords`, { body: { ...password, password: 'another horse' } });
  await granted.ended();
  await service.stop();
});

test('the event stream of a page ends when the page is deleted and when the service stops', async () => {
  const { service, pageId } = await serving();
  const deleted = await openStream(service, 'acme');
  await service.request('DELETE', `/v1/pages/${pageId}`, { key: service.first.keys.admin });
  await deleted.ended();
  await create(service, '/v1/pages', { name: 'Other', subdomain: 'other' });
  const stopped = await openStream(service, 'other');
  await within(10_000, service.stop(), 'the service stops');
  await stopped.ended();
});

test.run();
