import type { Readable } from 'node:stream';
import { MAX_FRAME } from './protocol.ts';

/** A decoded frame. A message is any JSON value, which the receiver must validate. */
export type Frame = { kind: 'message'; message: unknown; /** bytes */ size: number } | { kind: 'bytes'; bytes: Buffer };

/** Maximum number of bytes of a file in one frame. */
export const MAX_BYTES = MAX_FRAME - 1;

/** The stream is invalid, so the rest of it can't be decoded. */
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

/** @throws RangeError if the message exceeds the maximum size of a frame */
export const encode = (message: object): Buffer => framed(MESSAGE, Buffer.from(JSON.stringify(message)));

/** @throws RangeError if there are more than {@link MAX_BYTES} */
export const encodeBytes = (bytes: Uint8Array): Buffer => framed(BYTES, bytes);

/** Splits the chunks of a stream into frames. Buffers one frame at most. */
export interface Decoder {
  /** @throws BadFrame at an invalid frame, after yielding the frames before it */
  push: (chunk: Buffer) => Generator<Frame, void, undefined>;
  /** @throws BadFrame if the stream ended within a frame */
  end: () => void;
}

export const createDecoder = (): Decoder => {
  const length = Buffer.alloc(LENGTH);
  /** number of received bytes: of the length field until the length field is complete, and then of the frame */
  let there = 0;
  /** the received part of the frame; null until the length field is complete */
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
 * Yields the frames of a stream, in order. Reads nothing while the consumer processes a frame, so a fast sender must
 * wait. If the stream breaks, the sequence ends without an error.
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
