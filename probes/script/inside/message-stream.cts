/** Exchanges messages with the outer process, as frames on one file descriptor (../protocol.ts). */
import type { BeginMessage, BootMessage, SandboxMessage } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { Socket } = require('node:net') as typeof import('node:net');

/** The exports of `message-stream.cjs`. */
export interface MessageStreamModule {
  /** Opens the stream. When the outer process closes the stream, this process ends with all its children. */
  openStream: (fd: number) => MessageStream;
}

export interface MessageStream {
  say: (said: SandboxMessage) => void;
  /** Sends the content of the file that the previous message has announced. */
  sayBytes: (bytes: Buffer) => void;
  /** Returns the next message from the outer process. Rejects when the stream has ended. */
  next: () => Promise<BootMessage | BeginMessage>;
  /** Waits until all messages have been written. */
  said: () => Promise<void>;
}

const HEAD = 5;
/** Maximum size of a frame, in bytes (../protocol.ts). */
const MAX_FRAME = 1_048_576;
/** Maximum number of bytes of a file per frame. */
const PIECE = 65_536;

const openStream = (fd: number): MessageStream => {
  const socket = new Socket({ fd, readable: true, writable: true });
  // An error means that the outer process has ended. This process then ends on `close`.
  socket.on('error', () => undefined);
  let waiting: ((message: BootMessage | BeginMessage | null) => void) | null = null;
  const come: (BootMessage | BeginMessage)[] = [];
  let ended = false;
  let received = Buffer.alloc(0);

  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= HEAD) {
      const length = received.readUInt32BE(0);
      if (received.length < 4 + length) return;
      const message = JSON.parse(received.subarray(HEAD, 4 + length).toString('utf8')) as BootMessage | BeginMessage;
      received = received.subarray(4 + length);
      if (waiting) waiting(message);
      else come.push(message);
    }
  });
  socket.on('close', () => {
    ended = true;
    if (waiting) waiting(null);
    else process.exit(1);
  });

  const frame = (kind: string, content: Buffer): void => {
    // The receiver would reject so large a frame as invalid.
    if (content.length >= MAX_FRAME) return;
    const head = Buffer.allocUnsafe(HEAD);
    head.writeUInt32BE(content.length + 1, 0);
    head.write(kind, 4, 'latin1');
    if (socket.writable) socket.write(Buffer.concat([head, content]));
  };

  return {
    say: (said) => {
      frame('J', Buffer.from(JSON.stringify(said)));
    },
    sayBytes: (bytes) => {
      for (let at = 0; at < bytes.length; at += PIECE) frame('B', bytes.subarray(at, at + PIECE));
    },
    next: () =>
      new Promise((resolve, reject) => {
        const take = (message: BootMessage | BeginMessage | null): void => {
          waiting = null;
          if (message === null) reject(new Error('The stream has ended.'));
          else resolve(message);
        };
        const first = come.shift();
        if (first) take(first);
        else if (ended) take(null);
        else waiting = take;
      }),
    said: () =>
      new Promise((resolve) => {
        if (socket.writable)
          socket.write(Buffer.alloc(0), () => {
            resolve();
          });
        else resolve();
      }),
  };
};

module.exports = { openStream } satisfies MessageStreamModule;
