import type { Readable } from 'node:stream';
import { MAX_FRAME } from './protocol.ts';

/** What came in one frame. A message is any JSON: whoever takes it has to look what it is. */
export type Frame = { kind: 'message'; message: unknown; /** bytes */ size: number } | { kind: 'bytes'; bytes: Buffer };

/** Most bytes of a file in one frame. */
export const MAX_BYTES = MAX_FRAME - 1;

/** What came is no frame: nothing after it can be understood. */
export class BadFrame extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadFrame';
  }
}

const LENGTH = 4;
const MESSAGE = 'J'.charCodeAt(0);
const BYTES = 'B'.charCodeAt(0);

const framed = (kind: number, content: Uint8Array): Buffer => {
  if (content.length > MAX_BYTES) throw new RangeError(`A frame holds ${MAX_BYTES} bytes, not ${content.length}.`);
  const frame = Buffer.allocUnsafe(LENGTH + 1 + content.length);
  frame.writeUInt32BE(content.length + 1, 0);
  frame.writeUInt8(kind, LENGTH);
  frame.set(content, LENGTH + 1);
  return frame;
};

/** @throws RangeError if it is longer than a frame may be */
export const encode = (message: object): Buffer => framed(MESSAGE, Buffer.from(JSON.stringify(message)));

/** @throws RangeError if there are more than {@link MAX_BYTES} */
export const encodeBytes = (bytes: Uint8Array): Buffer => framed(BYTES, bytes);

/** Takes a stream apart, chunk by chunk; holds one frame at most. */
export interface Decoder {
  /** @throws BadFrame, after the frames before it were given */
  push: (chunk: Buffer) => Generator<Frame, void, undefined>;
  /** @throws BadFrame if the stream ended within a frame */
  end: () => void;
}

export const createDecoder = (): Decoder => {
  const length = Buffer.alloc(LENGTH);
  /** bytes of the length, then of the frame, that are there */
  let there = 0;
  /** null: the length is not yet known */
  let body: Buffer | null = null;

  const begin = (): Buffer => {
    const size = length.readUInt32BE(0);
    if (size === 0 || size > MAX_FRAME) throw new BadFrame(`a frame of ${size} bytes`);
    there = 0;
    return Buffer.allocUnsafe(size);
  };

  return {
    push: function* (chunk) {
      let at = 0;
      while (at < chunk.length) {
        const into: Buffer = body ?? length;
        const copied = chunk.copy(into, there, at);
        at += copied;
        there += copied;
        if (there < into.length) return;
        if (body === null) body = begin();
        else {
          const whole = body;
          body = null;
          there = 0;
          yield frameOf(whole);
        }
      }
    },
    end: () => {
      if (body !== null || there > 0) throw new BadFrame('it ended within a frame');
    },
  };
};

const frameOf = (body: Buffer): Frame => {
  const content = body.subarray(1);
  if (body[0] === BYTES) return { kind: 'bytes', bytes: content };
  if (body[0] !== MESSAGE) throw new BadFrame(`a frame of kind ${body[0] ?? 'none'}`);
  try {
    return { kind: 'message', message: JSON.parse(content.toString('utf8')) as unknown, size: content.length };
  } catch {
    throw new BadFrame('a message that is not JSON');
  }
};

/**
 * The frames of a stream in their order. Nothing is read while the one who asks is busy with a frame, so a
 * sender that is too fast waits. A stream that breaks ends them: what came is all there is.
 *
 * @throws BadFrame
 */
export const framesOf = async function* (stream: Readable): AsyncGenerator<Frame, void, undefined> {
  const decoder = createDecoder();
  const chunks = stream.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const chunk = await chunks.next().catch(() => null);
    if (chunk === null) return;
    if (chunk.done) {
      decoder.end();
      return;
    }
    yield* decoder.push(chunk.value);
  }
};
