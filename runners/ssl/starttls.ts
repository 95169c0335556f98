import type { StartTls } from '../../domain/check/types/starttls.ts';
import { ProbeFailure, quoted } from '../probe/failure.ts';
import type { Wire } from './wire/wire.ts';

/** A server does not change to TLS. */
export class StartTlsFailed extends ProbeFailure {
  /** it is too busy at the moment and may answer later */
  readonly busy: boolean;

  constructor(sentence: string, { busy = false } = {}) {
    super('down', 'protocol', sentence);
    this.name = 'StartTlsFailed';
    this.busy = busy;
  }
}

/** Servers that greet slowly to deter spammers take about six seconds. Milliseconds. */
const PATIENCE_MS = 15_000;
const MAX_LINE = 4_096;
const MAX_LINES = 200;
const MAX_XML = 65_536;

const TITLES: Readonly<Record<StartTls, string>> = {
  none: 'TLS',
  smtp: 'SMTP',
  imap: 'IMAP',
  pop3: 'POP3',
  ftp: 'FTP',
  ldap: 'LDAP',
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  xmpp: 'XMPP',
};

/** Makes what a server said fit into a sentence. */
const said = (text: string): string => {
  const readable = text.replace(/[^\x20-\x7e]+/g, ' ').trim();
  return readable === '' ? 'something that is not text' : quoted(readable);
};

/** Asks a server for TLS in its own protocol. */
interface Talk {
  wire: Wire;
  /** for XMPP */
  host: string;
  /** Fails, since the server speaks another protocol. */
  stranger: (heard: string) => StartTlsFailed;
  /** Fails, since the server does not want TLS. */
  refused: (answer: string) => StartTlsFailed;
  busy: (answer: string) => StartTlsFailed;
}

const got = async (talk: Talk, reading: Promise<Buffer | string>): Promise<Buffer> => {
  const bytes = await reading;
  if (typeof bytes !== 'string') return bytes;
  const { peer } = talk.wire;
  const begun = talk.wire.peek(100).toString('latin1');
  if (bytes === 'too-long' || begun !== '') throw talk.stranger(begun);
  throw new StartTlsFailed(
    bytes === 'silent'
      ? `${peer} said nothing before TLS could begin.`
      : `${peer} ${bytes === 'reset' ? 'reset' : 'closed'} the connection before TLS could begin.`,
    { busy: bytes !== 'silent' },
  );
};

const line = async (talk: Talk): Promise<string> =>
  (await got(talk, talk.wire.readUntil('\n', MAX_LINE, PATIENCE_MS))).toString('latin1').trimEnd();

/** A reply of SMTP or FTP: the last of its lines, `250 OK` (RFC 5321, 4.2.1; RFC 959, 4.2). */
const reply = async (talk: Talk): Promise<string> => {
  let first: string | null = null;
  for (let lines = 0; lines < MAX_LINES; lines++) {
    const next = await line(talk);
    if (first === null && !/^\d{3}([ -]|$)/.test(next)) throw talk.stranger(next);
    first ??= next.slice(0, 3);
    if (next.startsWith(first) && next[3] !== '-') {
      if (first === '421') throw talk.busy(next);
      return next;
    }
  }
  throw talk.stranger(first ?? '');
};

/** Sends a line and requires a reply with this code. */
const say = async (talk: Talk, command: string, code: string): Promise<void> => {
  talk.wire.send(Buffer.from(`${command}\r\n`));
  const answer = await reply(talk);
  if (!answer.startsWith(code)) throw talk.refused(answer);
};

/** RFC 3207 */
const smtp = async (talk: Talk): Promise<void> => {
  const greeting = await reply(talk);
  if (!greeting.startsWith('220')) throw talk.busy(greeting);
  await say(talk, 'EHLO uptrail.invalid', '250');
  await say(talk, 'STARTTLS', '220');
};

/** RFC 4217 */
const ftp = async (talk: Talk): Promise<void> => {
  const greeting = await reply(talk);
  if (!greeting.startsWith('220')) throw talk.busy(greeting);
  await say(talk, 'AUTH TLS', '234');
};

/** RFC 2595; RFC 9051, 6.2.1 */
const imap = async (talk: Talk): Promise<void> => {
  const greeting = await line(talk);
  if (/^\* BYE/i.test(greeting)) throw talk.busy(greeting);
  if (!/^\* (OK|PREAUTH)/i.test(greeting)) throw talk.stranger(greeting);
  talk.wire.send(Buffer.from('u1 STARTTLS\r\n'));
  for (let lines = 0; lines < MAX_LINES; lines++) {
    const answer = await line(talk);
    if (/^u1 OK/i.test(answer)) return;
    if (!answer.startsWith('* ')) throw talk.refused(answer);
  }
  throw talk.refused('');
};

/** RFC 2595 */
const pop3 = async (talk: Talk): Promise<void> => {
  const greeting = await line(talk);
  if (/^-ERR/i.test(greeting)) throw talk.busy(greeting);
  if (!/^\+OK/i.test(greeting)) throw talk.stranger(greeting);
  talk.wire.send(Buffer.from('STLS\r\n'));
  const answer = await line(talk);
  if (!/^\+OK/i.test(answer)) throw talk.refused(answer);
};

/** An extended request with the name 1.3.6.1.4.1.1466.20037 (RFC 4511, 4.14). */
const LDAP_REQUEST = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
]);
const LDAP_RESPONSE = 0x78;

/** The content of a BER value with this tag. */
const berValue = (bytes: Buffer, tag: number): { value: Buffer; rest: Buffer } | null => {
  const [found, length = 0x80] = bytes;
  if (found !== tag) return null;
  const more = length < 0x80 ? 0 : length & 0x7f;
  if (more > 3 || bytes.length < 2 + more) return null;
  const size = more === 0 ? length & 0x7f : bytes.readUIntBE(2, more);
  const end = 2 + more + size;
  return bytes.length < end ? null : { value: bytes.subarray(2 + more, end), rest: bytes.subarray(end) };
};

const ldap = async (talk: Talk): Promise<void> => {
  talk.wire.send(LDAP_REQUEST);
  const head = await got(talk, talk.wire.read(2, PATIENCE_MS));
  const more = (head[1] ?? 0) < 0x80 ? 0 : (head[1] ?? 0) & 0x7f;
  if (head[0] !== 0x30 || more > 3) throw talk.stranger(head.toString('latin1'));
  const length = await got(talk, talk.wire.read(more, PATIENCE_MS));
  const size = more === 0 ? (head[1] ?? 0) : length.readUIntBE(0, more);
  if (size > MAX_LINE) throw talk.stranger(head.toString('latin1'));
  const message = await got(talk, talk.wire.read(size, PATIENCE_MS));
  const id = berValue(message, 0x02);
  const response = id && berValue(id.rest, LDAP_RESPONSE);
  const result = response && berValue(response.value, 0x0a);
  if (!result) throw talk.stranger(message.toString('latin1'));
  if (!result.value.equals(Buffer.from([0])))
    throw talk.refused(`result code ${result.value.readUIntBE(0, Math.min(1, result.value.length)).toString()}`);
};

/** PostgreSQL: "Message Formats", SSLRequest. */
const postgres = async (talk: Talk): Promise<void> => {
  talk.wire.send(Buffer.from('0000000804d2162f', 'hex'));
  const answer = (await got(talk, talk.wire.read(1, PATIENCE_MS))).toString('latin1');
  if (answer === 'S') return;
  if (answer === 'N') throw talk.refused('N');
  const rest = talk.wire.peek(100).toString('latin1');
  throw answer === 'E' ? talk.busy(answer + rest) : talk.stranger(answer + rest);
};

const MYSQL = { ssl: 0x0800, protocol41: 0x0200, secureConnection: 0x8000, error: 0xff, version: 10 };

/** MySQL: "Connection Phase", Protocol::SSLRequest. */
const mysql = async (talk: Talk): Promise<void> => {
  const head = await got(talk, talk.wire.read(4, PATIENCE_MS));
  const size = head.readUIntLE(0, 3);
  if (size === 0 || size > MAX_LINE) throw talk.stranger(head.toString('latin1'));
  const greeting = await got(talk, talk.wire.read(size, PATIENCE_MS));
  if (greeting[0] === MYSQL.error) throw talk.busy(greeting.subarray(3).toString('latin1'));
  // After the version text: an id of four bytes, eight random ones, and a zero.
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

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&apos;').replaceAll('>', '&gt;');

/** RFC 6120, 5.4 */
const xmpp = async (talk: Talk): Promise<void> => {
  const { wire } = talk;
  const until = async (mark: string): Promise<string> =>
    (await got(talk, wire.readUntil(mark, MAX_XML, PATIENCE_MS))).toString('utf8');
  wire.send(
    Buffer.from(
      `<?xml version='1.0'?><stream:stream to='${escaped(talk.host)}' xmlns='jabber:client' ` +
        `xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>`,
    ),
  );
  const features = await until('</stream:features>');
  if (!features.includes('urn:ietf:params:xml:ns:xmpp-tls')) throw talk.refused('no starttls among its features');
  wire.send(Buffer.from("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>"));
  const answer = await until('>');
  if (!answer.includes('<proceed')) throw talk.refused(answer);
};

const TALKS: Readonly<Record<StartTls, (talk: Talk) => Promise<void>>> = {
  none: async () => undefined,
  smtp,
  imap,
  pop3,
  ftp,
  ldap,
  postgres,
  mysql,
  xmpp,
};

/**
 * Brings a fresh connection to the point where TLS begins.
 *
 * @param host that was asked for
 * @throws StartTlsFailed
 */
export const startTls = (wire: Wire, protocol: StartTls, host: string): Promise<void> => {
  const title = TITLES[protocol];
  const { peer } = wire;
  return TALKS[protocol]({
    wire,
    host,
    stranger: (heard) => new StartTlsFailed(`${peer} does not speak ${title}: it said ${said(heard)}.`),
    refused: (answer) => new StartTlsFailed(`${peer} does not offer TLS over ${title}: it answered ${said(answer)}.`),
    busy: (answer) =>
      new StartTlsFailed(`${peer} accepts no ${title} connections at the moment: it said ${said(answer)}.`, {
        busy: true,
      }),
  });
};
