import { receivedBytes, MAX_LINE, PATIENCE_MS, type StartTlsDialogue } from './dialogue.ts';

/** Requests TLS from PostgreSQL (PostgreSQL manual, "Message Formats", SSLRequest). */
export const postgres = async (talk: StartTlsDialogue): Promise<void> => {
  talk.wire.send(Buffer.from('0000000804d2162f', 'hex'));
  const answer = (await receivedBytes(talk, talk.wire.read(1, PATIENCE_MS))).toString('latin1');
  if (answer === 'S') return;
  if (answer === 'N') throw talk.refused('N');
  const rest = talk.wire.peek(100).toString('latin1');
  throw answer === 'E' ? talk.busy(answer + rest) : talk.stranger(answer + rest);
};

const MYSQL = { ssl: 0x0800, protocol41: 0x0200, secureConnection: 0x8000, error: 0xff, version: 10 };

/** Requests TLS from MySQL (MySQL source documentation, "Connection Phase", Protocol::SSLRequest). */
export const mysql = async (talk: StartTlsDialogue): Promise<void> => {
  const head = await receivedBytes(talk, talk.wire.read(4, PATIENCE_MS));
  const size = head.readUIntLE(0, 3);
  if (size === 0 || size > MAX_LINE) throw talk.stranger(head.toString('latin1'));
  const greeting = await receivedBytes(talk, talk.wire.read(size, PATIENCE_MS));
  if (greeting[0] === MYSQL.error) {
    // Removes the SQL state that may follow the error code: `#08004`.
    throw talk.busy(
      greeting
        .subarray(3)
        .toString('latin1')
        .replace(/^#\w{5}/, ''),
    );
  }
  // The flags follow the version text, an id of four bytes, eight random bytes, and a zero.
  const flags = greeting.indexOf(0) + 1 + 13;
  if (greeting[0] !== MYSQL.version || greeting.indexOf(0) < 0 || greeting.length < flags + 2)
    throw talk.stranger(greeting.toString('latin1'));
  if ((greeting.readUInt16LE(flags) & MYSQL.ssl) === 0) throw talk.refused('no SSL among its capabilities');
  const request = Buffer.alloc(36);
  request.writeUIntLE(32, 0, 3);
  request.writeUInt8((head[3] ?? 0) + 1, 3);
  request.writeUInt32LE(MYSQL.ssl | MYSQL.protocol41 | MYSQL.secureConnection, 4);
  request.writeUInt32LE(1 << 24, 8);
  request.writeUInt8(33, 12);
  talk.wire.send(request);
};
