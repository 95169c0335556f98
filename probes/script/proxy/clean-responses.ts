import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createResponseParser, type ResponseParser } from '../../../network/http/response-parser.ts';
import type { HttpFault } from '../../../network/http/fault.ts';
import type { Framing } from '../../../network/http/framing.ts';
import type { ResponseHead } from '../../../network/http/response-head.ts';

type Written = (error?: Error | null) => void;

/**
 * A connection to a target, for the HTTP client of Node.js. The connection parses responses as leniently as browsers do
 * (network/http/), and rewrites them for the client's strict parser. The rewritten response contains nothing that two
 * parsers could interpret differently, such as a length in addition to chunks, unusual line ends, or control
 * characters.
 *
 * Call {@link expect} before each request.
 */
export class CleanResponses extends Duplex {
  readonly #socket: Socket;
  readonly #limit: number;
  /** bytes that were received before the first request */
  readonly #early: Buffer[] = [];
  #answer: ResponseParser | null = null;
  #answered = false;

  /** @param limit maximum size of the head of a response, in bytes */
  constructor(socket: Socket, limit: number) {
    super({ allowHalfOpen: false, decodeStrings: false });
    this.#socket = socket;
    this.#limit = limit;
    socket.on('data', (piece: Buffer) => {
      this.#receive(piece);
    });
    socket.once('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.once('close', () => {
      // After a regular end, received data may still be unread. In this case, the stream ends by itself after that
      // data.
      if (!socket.readableEnded) this.destroy();
    });
    socket.on('timeout', () => this.emit('timeout'));
  }

  /** Announces a request, whose method determines how the response is parsed. */
  expect(method: string): void {
    let framing: Framing = { kind: 'none' };
    const events = {
      head: (head: ResponseHead, of: Framing) => {
        framing = of;
        this.#pass(Buffer.from(cleanHead(head, framing), 'latin1'));
      },
      data: (chunk: Buffer) => {
        if (framing.kind === 'chunks') this.#pass(Buffer.from(`${chunk.length.toString(16)}\r\n`));
        this.#pass(chunk);
        if (framing.kind === 'chunks') this.#pass(Buffer.from('\r\n'));
      },
      end: () => {
        this.#answer = null;
        this.#answered = true;
        if (framing.kind === 'chunks') this.#pass(Buffer.from('0\r\n\r\n'));
      },
    };
    this.#answer = createResponseParser(method, events, this.#limit);
    for (const piece of this.#early.splice(0)) this.#receive(piece);
    this.#socket.resume();
  }

  #receive(piece: Buffer): void {
    if (this.#answer) {
      try {
        this.#answer.write(piece);
      } catch (error) {
        this.destroy(error as HttpFault);
      }
    } else if (this.#answered) {
      // Unsolicited data must not become the response to the next request.
      this.destroy();
    } else {
      this.#early.push(piece);
      this.#socket.pause();
    }
  }

  #pass(bytes: Buffer): void {
    if (!this.push(bytes)) this.#socket.pause();
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: string | Buffer, encoding: BufferEncoding, written: Written): void {
    this.#socket.write(chunk, encoding, written);
  }

  override _final(done: Written): void {
    this.#socket.end(() => {
      done();
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  // The HTTP client of Node.js calls the following methods of its connection.

  get timeout(): number | undefined {
    return this.#socket.timeout;
  }

  setTimeout(milliseconds: number, then?: () => void): this {
    this.#socket.setTimeout(milliseconds);
    if (then) this.once('timeout', then);
    return this;
  }

  setKeepAlive(enable: boolean, delay: number): this {
    this.#socket.setKeepAlive(enable, delay);
    return this;
  }

  setNoDelay(noDelay?: boolean): this {
    this.#socket.setNoDelay(noDelay);
    return this;
  }

  ref(): this {
    this.#socket.ref();
    return this;
  }

  unref(): this {
    this.#socket.unref();
    return this;
  }
}

const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/g;
const REWRITTEN: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

/** Rewrites the head for a strict parser, with unambiguous framing. */
const cleanHead = ({ version, status, words, headers, fields }: ResponseHead, framing: Framing): string => {
  const [length] = [headers['content-length'] ?? []].flat();
  const isOdd = length !== undefined && headers['transfer-encoding'] !== undefined;
  const lines = [
    `HTTP/${version === '1.0' || version === '0.9' ? '1.0' : '1.1'} ${status} ${words}`,
    ...fields
      .filter(([name]) => !REWRITTEN.has(name.toLowerCase()) && !(isOdd && name.toLowerCase() === 'connection'))
      .map(([name, value]) => `${name}: ${value}`),
    // The connection is not reused if two parsers could disagree about the end of the response (RFC 9112, 6.1).
    ...(isOdd ? ['Connection: close'] : []),
    ...(framing.kind === 'chunks' ? ['Transfer-Encoding: chunked'] : []),
    ...(framing.kind === 'length' ? [`Content-Length: ${framing.length}`] : []),
    ...(framing.kind === 'none' && length !== undefined && /^\d{1,15}$/.test(length)
      ? [`Content-Length: ${length}`]
      : []),
  ];
  return `${lines.map((line) => line.replace(CONTROL, ' ')).join('\r\n')}\r\n\r\n`;
};
