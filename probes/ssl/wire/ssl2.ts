import { randomBytes } from 'node:crypto';
import { MalformedTlsMessage, readerOf, uint } from './bytes.ts';
import { RECORDS } from './records.ts';
import type { ReadEnd, Wire } from './wire.ts';
import { PATIENCE_MS } from './hello.ts';

/** The SERVER-HELLO of an SSL 2.0 server (draft-hickman-netscape-ssl-00). */
export interface Ssl2Hello {
  kind: 'hello';
  /** numbers of cipher suites (three bytes each): those in common with the client, or all suites of the server */
  suites: readonly number[];
  /** the certificate in DER; null if the server sent none */
  certificate: Buffer | null;
  connectionId: Buffer;
}

/** A server's response to a hello. `alert` is a TLS alert of a server that does not speak SSL 2.0. */
export type Ssl2Answer =
  | Ssl2Hello
  | { kind: 'error'; code: number }
  | { kind: 'alert'; description: number }
  | { kind: 'garbage'; bytes: Buffer }
  | { kind: ReadEnd };

const CLIENT_HELLO = 1;
const SERVER_HELLO = 4;
const ERROR = 0;
const VERSION = 0x0002;
/** Maximum size of a record with a two-byte header, in bytes. */
const MAX_LENGTH = 0x7fff;

/** Creates a CLIENT-HELLO of SSL 2.0 as a record. */
const ssl2ClientHello = (suites: readonly number[]): Buffer => {
  const challenge = randomBytes(16);
  const message = Buffer.concat([
    uint(1, CLIENT_HELLO),
    uint(2, VERSION),
    uint(2, suites.length * 3),
    uint(2, 0),
    uint(2, challenge.length),
    ...suites.map((id) => uint(3, id)),
    challenge,
  ]);
  return ssl2Record(message);
};

/** Creates a record of SSL 2.0 without padding. */
export const ssl2Record = (body: Buffer): Buffer => Buffer.concat([uint(2, 0x8000 | body.length), body]);

type Ssl2Heard =
  | { kind: 'record'; body: Buffer }
  | { kind: 'alert'; description: number }
  | { kind: 'garbage'; bytes: Buffer }
  | { kind: ReadEnd };

/** Reads the next record of SSL 2.0, or a TLS alert. */
const readSsl2Record = async (wire: Wire, patience: number): Promise<Ssl2Heard> => {
  const head = await wire.read(2, patience);
  if (typeof head === 'string') return { kind: head };
  const garbage = (): Ssl2Heard => ({ kind: 'garbage', bytes: Buffer.concat([head, wire.peek(62)]) });
  const [first = 0, second = 0] = head;
  if (first === RECORDS.alert && second === 3) {
    const alert = await wire.read(5, patience);
    return typeof alert === 'string' ? garbage() : { kind: 'alert', description: alert[4] ?? 0 };
  }
  // If the first bit is not set, the header has a third byte, which contains the length of the padding.
  const padded = (first & 0x80) === 0;
  const length = head.readUInt16BE(0) & (padded ? 0x3fff : MAX_LENGTH);
  const rest = await wire.read(padded ? length + 1 : length, patience);
  if (typeof rest === 'string') return garbage();
  if (!padded) return { kind: 'record', body: rest };
  return { kind: 'record', body: rest.subarray(1, Math.max(1, rest.length - (rest[0] ?? 0))) };
};

/** @throws MalformedTlsMessage */
const readSsl2ServerHello = (body: Buffer): Ssl2Hello => {
  const reader = readerOf(body);
  reader.bytes(1); // session id hit
  reader.bytes(1); // certificate type
  if (reader.number(2) !== VERSION) throw new MalformedTlsMessage('not SSL 2.0');
  const [certificates, suites, connection] = [reader.number(2), reader.number(2), reader.number(2)];
  const certificate = reader.bytes(certificates);
  const specs = readerOf(reader.bytes(suites));
  const ids: number[] = [];
  while (specs.left > 0) ids.push(specs.number(3));
  return {
    kind: 'hello',
    suites: ids,
    certificate: certificate.length > 0 ? certificate : null,
    connectionId: reader.bytes(connection),
  };
};

/** Sends an SSL 2.0 CLIENT-HELLO and reads the response. Leaves the connection open. */
export const ssl2Hello = async (
  wire: Wire,
  suites: readonly number[],
  { patience = PATIENCE_MS } = {},
): Promise<Ssl2Answer> => {
  wire.send(ssl2ClientHello(suites));
  const heard = await readSsl2Record(wire, patience);
  if (heard.kind !== 'record') return heard;
  const [type, ...rest] = [heard.body[0], heard.body[1], heard.body[2]];
  if (type === ERROR && heard.body.length === 3) return { kind: 'error', code: ((rest[0] ?? 0) << 8) | (rest[1] ?? 0) };
  try {
    if (type === SERVER_HELLO) return readSsl2ServerHello(heard.body.subarray(1));
  } catch (error) {
    if (!(error instanceof MalformedTlsMessage)) throw error;
  }
  return { kind: 'garbage', bytes: Buffer.from(heard.body.subarray(0, 64)) };
};
