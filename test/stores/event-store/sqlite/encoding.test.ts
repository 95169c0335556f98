import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHash } from 'node:crypto';
import type { NewEvent } from '../../../../domain/event.ts';
import { serializeAppend, type SerializedEvent } from '../../../../stores/event-store/serialized.ts';
import { DICTIONARIES_OF_ENCODING_1 } from '../../../../stores/event-store/sqlite/dictionaries.ts';
import { decodePayload, encodePayload } from '../../../../stores/event-store/sqlite/encoding.ts';
import { openSqliteEventStore } from '../../../../stores/event-store/sqlite/open.ts';
import { openForReading } from '../../../../stores/event-store/sqlite/schema.ts';
import { resultOf } from '../../../domain/check-result/examples.ts';
import { openTemporary } from './temporary.ts';

const test = suite('the encoding of stored events');

const serialized = (event: NewEvent): SerializedEvent => {
  const [one] = serializeAppend('check_results-ru-central1', [event]);
  if (!one) throw new Error('An append has an event.');
  return one;
};

const result = (headers: Record<string, string> = {}): NewEvent =>
  resultOf('check0000001', 0, { check_metadata: { connected: true, host: 'shop.example', port: 443, headers } });

test('a result is stored deflated and read unchanged', () => {
  const event = serialized(result({ server: 'nginx', 'x-odd': 'ä\u2028\n"\\ü 🚀' }));
  const stored = encodePayload(event);
  assert.is(stored.encoding, 1);
  assert.ok(stored.data.length < 512, `${stored.data.length} bytes`);
  assert.equal(decodePayload(event.type, stored), [event.data, event.metadata]);
});

test('short events, and types without a dictionary, are stored as text', () => {
  const short = { ...serialized(result()), data: '{}', metadata: '{}' };
  assert.equal(encodePayload(short), { encoding: 0, data: '{}', metadata: '{}' });
  const other = { ...serialized(result()), type: 'PageCreated' };
  assert.is(encodePayload(other).encoding, 0);
});

test('text stored by an older release is read', () => {
  const { type, data, metadata } = serialized(result());
  assert.equal(decodePayload(type, { encoding: 0, data, metadata }), [data, metadata]);
});

test('an encoding of a newer release is refused', () => {
  const { type, data, metadata } = serialized(result());
  assert.throws(() => decodePayload(type, { encoding: 2, data, metadata }), /unknown encoding 2/);
  assert.throws(
    () => decodePayload('Other', { encoding: 1, data: Buffer.of(3), metadata: null }),
    /unknown encoding 1/,
  );
});

test('a log reads the events that it has deflated', async () => {
  let path = '';
  const { store, dispose } = await openTemporary((file) => {
    path = file;
    return openSqliteEventStore({ file, name: 'results', mode: 'service' });
  });
  try {
    const events = [result({ server: 'nginx' }), resultOf('check0000002', 1_000)];
    await store.append('check_results-ru-central1', events, 'any');
    const read = await store.readAll({ after: 0n });
    assert.equal(
      read.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
      events,
    );
    const connection = openForReading(path);
    assert.equal(connection.prepare('SELECT DISTINCT encoding % 16 FROM events').pluck().all(), [1]);
    connection.close();
  } finally {
    await dispose();
  }
});

test('no released dictionary of the encoding has changed, because events encoded with it would be unreadable', () => {
  const digests = Object.entries(DICTIONARIES_OF_ENCODING_1).map(([type, text]) => [
    type,
    createHash('sha256').update(text).digest('hex'),
  ]);
  assert.equal(Object.fromEntries(digests), {
    CheckRunCompleted: '6c468011905abd6f6b2e46f9f840355d8170abb85060930e5aa3507d781920f0',
  });
});

test.run();
