import { PassThrough } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  BadFrame,
  createDecoder,
  encode,
  encodeBytes,
  framesOf,
  MAX_BYTES,
  type Frame,
} from '../../../probes/script/frames.ts';

const frames = suite('frames between a sandbox and the outer process');

const both = Buffer.concat([encode({ type: 'log', message: 'süß' }), encodeBytes(Buffer.from([0, 1, 2]))]);
const expected: Frame[] = [
  { kind: 'message', message: { type: 'log', message: 'süß' }, size: 32 },
  { kind: 'bytes', bytes: Buffer.from([0, 1, 2]) },
];

frames('frames are decoded no matter where the stream is cut', () => {
  for (let size = 1; size <= both.length; size++) {
    const decoder = createDecoder();
    const got: Frame[] = [];
    for (let at = 0; at < both.length; at += size) got.push(...decoder.push(both.subarray(at, at + size)));
    decoder.end();
    assert.equal(got, expected);
  }
});

frames('a frame may be as long as the limit, but no longer', () => {
  const bytes = Buffer.alloc(MAX_BYTES, 7);
  assert.equal([...createDecoder().push(encodeBytes(bytes))], [{ kind: 'bytes', bytes }]);
  assert.throws(
    () => encodeBytes(Buffer.alloc(MAX_BYTES + 1)),
    (error: unknown) => error instanceof RangeError,
  );
});

const nonsense: [string, Buffer][] = [
  ['longer than allowed', Buffer.from([0xff, 0xff, 0xff, 0xff, 0x4a])],
  ['empty', Buffer.from([0, 0, 0, 0])],
  ['of an unknown kind', Buffer.from([0, 0, 0, 2, 0x58, 0x30])],
  ['not JSON', Buffer.from([0, 0, 0, 2, 0x4a, 0x7b])],
];

for (const [what, sent] of nonsense)
  frames(`frames that are ${what} are rejected, after the preceding frames were decoded`, () => {
    const got: Frame[] = [];
    assert.throws(
      () => {
        for (const frame of createDecoder().push(Buffer.concat([both, sent]))) got.push(frame);
      },
      (error: unknown) => error instanceof BadFrame,
    );
    assert.equal(got, expected);
  });

frames('a stream of frames that ends within a frame is rejected', async () => {
  const stream = new PassThrough();
  stream.end(both.subarray(0, both.length - 1));
  const got: Frame[] = [];
  try {
    for await (const frame of framesOf(stream)) got.push(frame);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, BadFrame);
  }
  assert.equal(got, expected.slice(0, 1));
});

frames('a frame is not read while the previous one is being processed', async () => {
  const stream = new PassThrough({ highWaterMark: 1_024 });
  const requested = framesOf(stream);
  stream.write(encodeBytes(Buffer.alloc(10)));
  await requested.next();
  let accepted = 0;
  while (stream.write(encodeBytes(Buffer.alloc(100)))) accepted += 1;
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(stream.writableNeedDrain);
  assert.ok(accepted < 100);
  for (let frame = 0; frame < accepted; frame++) assert.is((await requested.next()).value?.kind, 'bytes');
});

frames('the sequence of frames ends when the stream breaks', async () => {
  const stream = new PassThrough();
  const requested = framesOf(stream);
  stream.write(both);
  assert.equal((await requested.next()).value, expected[0]);
  assert.equal((await requested.next()).value, expected[1]);
  stream.destroy(new Error('reset'));
  assert.ok((await requested.next()).done);
});

frames.run();
