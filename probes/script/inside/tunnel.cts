/** Opens connections through the proxy with CONNECT requests. */
const net = require('node:net') as typeof import('node:net');
const { Duplex } = require('node:stream') as typeof import('node:stream');

type Socket = import('node:net').Socket;
type Duplex = import('node:stream').Duplex;

export interface Target {
  /** a name or an address, without brackets */
  host: string;
  port: number;
}

/** The exports of `tunnel.cjs`. */
export interface TunnelModule {
  /**
   * Opens a tunnel, and calls `done` with its connection or with an error that contains the proxy's sentence.
   *
   * @param port of the forwarder
   * @returns the connection to the forwarder; destroy it to abort
   */
  dial: (port: number, target: Target, done: Dialed) => Socket;
  /** A tunnel that can be used immediately, like a socket that is still connecting. It opens the connection itself. */
  Tunnel: new (port: number, target: Target, options?: TunnelOptions) => Socket;
}

export interface TunnelOptions {
  /** timeout, in milliseconds; 0 for none */
  timeout?: number;
  /**
   * if true, the stream stays open after both sides have ended, until it is destroyed. TLS on top of the stream needs
   * this: otherwise it would lose unread data.
   */
  stays?: boolean;
}

export type Dialed = (...outcome: [Error, null] | [null, Socket]) => void;

/** Maximum size of the proxy's response, in bytes. A refusal with its sentence is shorter. */
const MOST = 16_384;
const END_OF_HEAD = '\r\n\r\n';

const dial = (port: number, { host, port: to }: Target, done: Dialed): Socket => {
  const socket = net.connect({ host: '127.0.0.1', port, noDelay: true });
  const peer = `${net.isIPv6(host) ? `[${host}]` : host}:${to.toString()}`;
  let received = Buffer.alloc(0);
  let settled = false;
  const settle = (): void => {
    settled = true;
    socket.off('data', onData).off('error', onError).off('end', onEnd).off('close', onEnd);
  };
  const fail = (sentence: string, code: string): void => {
    if (settled) return;
    settle();
    // Ignores further errors, because the connection is no longer needed.
    socket.on('error', () => undefined);
    socket.destroy();
    done(Object.assign(new Error(sentence), { code }), null);
  };
  const onData = (piece: Buffer): void => {
    received = Buffer.concat([received, piece]);
    const end = received.indexOf(END_OF_HEAD);
    if (end === -1 || !isWelcome(received)) {
      // A refusal is complete when the proxy closes the connection.
      if (received.length > MOST) onEnd();
      return;
    }
    socket.pause();
    settle();
    const rest = received.subarray(end + END_OF_HEAD.length);
    if (rest.length > 0) socket.unshift(rest);
    done(null, socket);
  };
  const onEnd = (): void => {
    const answer = received.toString();
    const head = answer.indexOf(END_OF_HEAD);
    const sentence = head === -1 ? '' : answer.slice(head + END_OF_HEAD.length).trim();
    const refused = answer.startsWith('HTTP/1.1 403 ');
    fail(sentence || `Connecting to ${peer} failed.`, refused ? 'EACCES' : 'ECONNREFUSED');
  };
  const onError = (): void => {
    fail(`Connecting to ${peer} failed.`, 'ECONNREFUSED');
  };
  socket.on('data', onData).on('error', onError).on('end', onEnd).on('close', onEnd);
  socket.once('connect', () => {
    socket.write(`CONNECT ${peer} HTTP/1.1\r\nHost: ${peer}\r\n\r\n`);
  });
  return socket;
};

const isWelcome = (received: Buffer): boolean => /^HTTP\/1\.1 200 /.test(received.toString('latin1', 0, 16));

/**
 * A stream over a tunnel, with the parts of a socket that `http` needs. `http` can also receive its connection later,
 * through a callback, but then timeouts and aborted requests don't work before the connection is open.
 */
class TunnelStream extends Duplex {
  connecting = true;
  timeout = 0;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly #below: Socket;
  /** a write or end that was requested before the tunnel was open */
  #early: (() => void) | null = null;

  constructor(port: number, target: Target, { timeout = 0, stays = false }: TunnelOptions = {}) {
    super({ allowHalfOpen: false, emitClose: true, autoDestroy: !stays });
    this.remoteAddress = target.host;
    this.remotePort = target.port;
    this.#below = dial(port, target, (error, socket) => {
      if (error) this.destroy(error);
      else this.#established(socket);
    });
    this.#below.on('timeout', () => this.emit('timeout'));
    if (timeout > 0) this.setTimeout(timeout);
  }

  #established(below: Socket): void {
    if (this.destroyed) {
      below.destroy();
      return;
    }
    below.on('data', (piece: Buffer) => {
      if (!this.push(piece)) below.pause();
    });
    below.once('end', () => this.push(null));
    below.on('error', (error) => this.destroy(error));
    below.once('close', () => {
      // After a complete transfer, received data may still be unread.
      if (!below.readableEnded) this.destroy();
    });
    this.connecting = false;
    this.emit('connect');
    this.emit('ready');
    this.#early?.();
    this.#early = null;
    below.resume();
  }

  override _read(): void {
    if (!this.connecting) this.#below.resume();
  }

  override _write(piece: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    const write = (): void => {
      this.#below.write(piece, done);
    };
    if (this.connecting) this.#early = write;
    else write();
  }

  override _final(done: (error?: Error | null) => void): void {
    const end = (): void => {
      this.#below.end(done);
    };
    if (this.connecting) this.#early = end;
    else end();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.connecting = false;
    this.#below.destroy();
    done(error);
  }

  setTimeout(milliseconds: number, callback?: () => void): this {
    this.timeout = milliseconds;
    this.#below.setTimeout(milliseconds);
    if (callback && milliseconds === 0) this.off('timeout', callback);
    else if (callback) this.once('timeout', callback);
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  ref(): this {
    this.#below.ref();
    return this;
  }

  unref(): this {
    this.#below.unref();
    return this;
  }

  address(): object {
    return this.#below.address();
  }
}

const Tunnel = TunnelStream as unknown as TunnelModule['Tunnel'];

module.exports = { dial, Tunnel } satisfies TunnelModule;
