import { MalformedTlsMessage } from './bytes.ts';

export interface HandshakeMessage {
  type: number;
  body: Buffer;
}

/** Reassembles handshake messages from records, which may split messages anywhere (RFC 5246, 6.2.1). */
export interface HandshakeMessages {
  /** Adds the content of a handshake record. */
  add: (body: Buffer) => void;
  /**
   * Returns the next complete message; null if more bytes are needed.
   *
   * @throws MalformedTlsMessage if the message is too large
   */
  next: () => HandshakeMessage | null;
  /** Returns the bytes of an incomplete message that were received so far. */
  rest: () => Buffer;
}

const HEAD = 4;
/** Maximum size of one message, in bytes. Messages with certificates are the largest. */
const MAX_MESSAGE = 256 * 1024;

export const createHandshakeMessages = (): HandshakeMessages => {
  let parts: Buffer[] = [];
  let size = 0;
  /** number of bytes that must have arrived before the next message or its header can be read */
  let needed = HEAD;

  const rest = (): Buffer => {
    const [first] = parts;
    const all = parts.length === 1 && first ? first : Buffer.concat(parts);
    parts = [all];
    return all;
  };
  return {
    add: (body) => {
      if (body.length > 0) parts.push(body);
      size += body.length;
    },
    next: () => {
      if (size < needed) return null;
      const all = rest();
      const length = all.readUIntBE(1, 3);
      if (length > MAX_MESSAGE) throw new MalformedTlsMessage(`a message of ${length} bytes`);
      needed = HEAD + length;
      if (size < needed) return null;
      const message = { type: all.readUInt8(0), body: all.subarray(HEAD, needed) };
      parts = [all.subarray(needed)];
      size -= needed;
      needed = HEAD;
      return message;
    },
    rest,
  };
};
