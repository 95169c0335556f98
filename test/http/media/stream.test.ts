import { Type } from '@sinclair/typebox';
import { once } from 'node:events';
import { get, request as httpRequest, type IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ok, route, type Route } from '../../../api/route.ts';
import type { StreamedContent } from '../../../http/media/content.ts';
import { eventStream } from '../../../http/media/event-stream.ts';
import { CSV, EVENT_STREAM, mediaType, PNG, type MediaType } from '../../../http/media/media-types.ts';
import { serveNotes } from '../../api/notes.ts';

const test = suite('streamed responses');

/** Serves a body at `/stream`. */
const serving = (type: MediaType, body: StreamedContent | Uint8Array) => {
  const streaming: Route = route({
    methods: ['get'],
    path: '/stream',
    summary: 'A stream',
    tag: 'Streams',
    access: { public: { tenant: null } },
    produces: [type],
    responses: { 200: Type.String() },
    handle: () => ok(() => body),
  });
  return serveNotes({ further: [streaming] });
};

/** Requests the stream. @returns the response after its head has arrived */
const open = async (port: number): Promise<IncomingMessage> => {
  const [incoming] = (await once(get({ host: '127.0.0.1', port, path: '/stream' }), 'response')) as [IncomingMessage];
  return incoming;
};

const textOf = async (incoming: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return text;
};

/**
 * Returns a source that sends one event and then waits for an abort, and a promise that resolves when the source ends.
 */
const waiting = () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const source = async function* (signal: AbortSignal) {
    try {
      yield { event: 'changed', id: '7', data: 'one\ntwo' };
      await once(signal, 'abort');
      signal.throwIfAborted();
    } finally {
      end();
    }
  };
  return { source, ended };
};

test('an event stream sends events as they occur, and ends when the service stops', async () => {
  const { source, ended } = waiting();
  const served = await serving(EVENT_STREAM, eventStream(source));
  const incoming = await open(served.port);
  assert.is(incoming.headers['content-type'], 'text/event-stream');
  assert.is(incoming.headers['cache-control'], 'no-cache');
  assert.is(incoming.headers['x-accel-buffering'], 'no');
  assert.is(incoming.headers.etag, undefined);
  const [first] = (await once(incoming, 'data')) as [Buffer];
  assert.is(first.toString(), 'event: changed\nid: 7\ndata: one\ndata: two\n\n');
  const rest = textOf(incoming);
  await Promise.all([served.stop(), ended]);
  assert.is(await rest, '');
  assert.ok(incoming.complete);
  assert.not.ok(served.logged.some((line) => line.includes('"level":50')));
});

test('a stream ends when its client disconnects', async () => {
  const { source, ended } = waiting();
  const served = await serving(EVENT_STREAM, eventStream(source));
  const incoming = await open(served.port);
  await once(incoming, 'data');
  incoming.destroy();
  await ended;
  await served.stop();
});

test('an event stream ends when the service stops, even if its source ignores the abort signal', async () => {
  const served = await serving(EVENT_STREAM, async function* () {
    yield 'data: one\n\n';
    await new Promise(() => undefined);
  });
  const incoming = await open(served.port);
  await once(incoming, 'data');
  const rest = textOf(incoming);
  await served.stop();
  await rest;
  assert.ok(incoming.complete);
});

test('a silent event stream sends keep-alives', async () => {
  const talkative = mediaType('text/event-stream', { endless: { message: ':\n\n', intervalMs: 5 } });
  const { source } = waiting();
  const served = await serving(talkative, eventStream(source));
  const incoming = await open(served.port);
  let text = '';
  while (!text.endsWith(':\n\n:\n\n')) text += String(((await once(incoming, 'data')) as [Buffer])[0]);
  await served.stop();
});

test('a stream is generated only as fast as its client reads it', async () => {
  const piece = Buffer.alloc(1_048_576);
  let made = 0;
  const served = await serving(CSV, async function* () {
    for (; made < 200; made++) yield piece;
  });
  const incoming = await open(served.port);
  let received = 0;
  for await (const chunk of incoming) {
    received += (chunk as Buffer).length;
    assert.ok(made * piece.length - received < 32 * piece.length, `${made} pieces, ${received} bytes`);
  }
  assert.is(received, 200 * piece.length);
  await served.stop();
});

test('a finite streamed response is completed although the service is stopping', async () => {
  let go = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  const served = await serving(CSV, async function* () {
    yield 'a\r\n';
    await gone;
    yield 'b\r\n';
  });
  const incoming = await open(served.port);
  const text = textOf(incoming);
  const stopped = served.stop();
  go();
  assert.is(await text, 'a\r\nb\r\n');
  await stopped;
});

test('the connection of a stream is closed if its source fails, so the client notices the failure', async () => {
  const served = await serving(CSV, async function* () {
    yield 'a\r\n';
    throw new Error('The disk is gone.');
  });
  const incoming = await open(served.port);
  await textOf(incoming).then(
    () => {
      throw new Error('It seemed to be whole.');
    },
    (error: unknown) => {
      assert.is((error as NodeJS.ErrnoException).code, 'ECONNRESET');
    },
  );
  assert.ok(served.logged.some((line) => line.includes('The disk is gone.')));
  await served.stop();
});

test('a HEAD request does not start a stream', async () => {
  let begun = false;
  const served = await serving(CSV, async function* () {
    begun = true;
    yield 'a';
  });
  const outgoing = httpRequest({ host: '127.0.0.1', port: served.port, path: '/stream', method: 'HEAD' }).end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  assert.is(incoming.statusCode, 200);
  assert.is(incoming.headers['content-type'], 'text/csv; charset=utf-8');
  assert.is(await textOf(incoming), '');
  assert.not.ok(begun);
  await served.stop();
});

test('a response with a body of bytes has a Content-Length and an ETag', async () => {
  const served = await serving(PNG, Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  const reply = await served.bare({ path: '/stream', headers: { accept: 'image/*' } });
  assert.is(reply.headers['content-type'], 'image/png');
  assert.is(reply.headers['content-length'], '4');
  const { etag = '' } = reply.headers;
  assert.is((await served.bare({ path: '/stream', headers: { 'if-none-match': etag } })).status, 304);
  await served.stop();
});

test('the name of an event cannot add fields to an event stream', async () => {
  const served = await serving(
    EVENT_STREAM,
    eventStream(async function* () {
      yield { event: 'a\ndata: forged', data: '' };
    }),
  );
  const incoming = await open(served.port);
  await textOf(incoming).catch(() => undefined);
  assert.not.ok(incoming.complete);
  await served.stop();
});

test.run();
