import { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

type Written = (error?: Error | null) => void;

/**
 * The connection that undici gets: writes go to the socket, and reads return nothing, since the exchange reads the socket
 * itself (http/exchange.ts). Errors thrown by undici's listeners, such as its assertions, must not end the process.
 */
export class Wire extends Duplex {
  readonly #socket: Socket;
  readonly #broken: (error: Error) => void;

  /** @param broken receives what one of undici's listeners threw, since nobody else catches it */
  constructor(socket: Socket, broken: (error: Error) => void) {
    super({ decodeStrings: false });
    this.#socket = socket;
    this.#broken = broken;
  }

  override _read(): void {
    // Nothing is ever there.
  }

  // The socket itself reports whether a write failed.

  override _write(chunk: string | Buffer, encoding: BufferEncoding, written: Written): void {
    this.#socket.write(chunk, encoding, () => {
      written();
    });
  }

  override _writev(chunks: { chunk: string | Buffer; encoding: BufferEncoding }[], written: Written): void {
    this.#socket.cork();
    for (const { chunk, encoding } of chunks) this.#socket.write(chunk, encoding);
    this.#socket.write('', () => {
      written();
    });
    this.#socket.uncork();
  }

  override emit(event: string | symbol, ...given: unknown[]): boolean {
    try {
      return super.emit(event, ...given);
    } catch (error) {
      this.#broken(error as Error);
      return true;
    }
  }
}
