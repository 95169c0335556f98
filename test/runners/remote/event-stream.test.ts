import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InvalidServiceMessage } from '../../../runners/remote/errors.ts';
import { eventsIn } from '../../../runners/remote/event-stream.ts';
import { rejects } from '../../rejects.ts';

const test = suite('parsing an event stream');

async function* chunksOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

const eventsOf = async (chunks: AsyncIterable<Uint8Array>, most?: number): Promise<string[]> => {
  const events: string[] = [];
  for await (const event of eventsIn(chunks, most)) events.push(event);
  return events;
};

test('events of a stream are parsed no matter where the stream is split, with either kind of line end', async () => {
  assert.equal(await eventsOf(chunksOf('data: o', 'ne\n', '\nda', 'ta:two\r\n\r\ndata: three\n\n')), [
    'one',
    'two',
    'three',
  ]);
});

test('events of a stream may have several lines and split multi-byte characters', async () => {
  const bytes = Buffer.from('data: ä\ndata: €\n\n');
  const chunks = async function* () {
    for (const byte of bytes) yield Buffer.from([byte]);
  };
  assert.equal(await eventsOf(chunks()), ['ä\n€']);
});

test('comments, other fields and incomplete events of a stream are ignored', async () => {
  assert.equal(await eventsOf(chunksOf(': here\n\nid: 7\nevent: x\ndata: one\n\nretry: 1\n\ndata: cut')), ['one']);
});

test('events of a stream are rejected if they are too long, in one line or in many', async () => {
  await rejects(eventsOf(chunksOf(`data: ${'x'.repeat(100)}`), 100), InvalidServiceMessage);
  const endless = async function* () {
    for (;;) yield Buffer.from('data: x\n');
  };
  await rejects(eventsOf(endless(), 10_000), InvalidServiceMessage);
});

test('a stream may have any number of events, because the size limit applies to each event separately', async () => {
  const events = await eventsOf(
    chunksOf(...Array.from({ length: 50 }, () => `: a comment\n\ndata: ${'x'.repeat(60)}\n\n`)),
    100,
  );
  assert.is(events.length, 50);
});

test.run();
