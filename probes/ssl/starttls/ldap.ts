import { receivedBytes, MAX_LINE, PATIENCE_MS, type StartTlsDialogue } from './dialogue.ts';

/** An extended request with the name 1.3.6.1.4.1.1466.20037 (RFC 4511, 4.14). */
const REQUEST = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
]);

const TAG = { integer: 0x02, octets: 0x04, enumerated: 0x0a, sequence: 0x30, extendedResponse: 0x78 };

/** Result codes (RFC 4511, 4.1.9) of responses to a StartTLS request. */
const RESULTS: Readonly<Record<number, string>> = {
  1: 'operationsError',
  2: 'protocolError',
  8: 'strongerAuthRequired',
  50: 'insufficientAccessRights',
  51: 'busy',
  52: 'unavailable',
  53: 'unwillingToPerform',
  80: 'other',
};
const SUCCESS = 0;
const BUSY = 51;

/** Maximum number of octets of a length after the first octet. */
const MOST_OCTETS = 8;

/**
 * Returns how many octets of a length follow the first (X.690, 8.1.3); null if the length is indefinite or too long.
 */
const octetsAfter = (first: number): number | null => {
  if (first < 0x80) return 0;
  const more = first & 0x7f;
  return more === 0 || more > MOST_OCTETS ? null : more;
};

/** Decodes a length. Servers may use many octets for small lengths: Active Directory uses five, `84 00 00 00 28`. */
const lengthOf = (first: number, more: Buffer): number =>
  more.length === 0 ? first : more.reduce((size, octet) => size * 256 + octet, 0);

interface Value {
  value: Buffer;
  rest: Buffer;
}

/** Returns the first value in `bytes`; null if the value has a tag other than `tag`, or is incomplete. */
const valueIn = (bytes: Buffer, tag: number): Value | null => {
  const [found, first] = bytes;
  if (found !== tag || first === undefined) return null;
  const more = octetsAfter(first);
  if (more === null || bytes.length < 2 + more) return null;
  const begin = 2 + more;
  const end = begin + lengthOf(first, bytes.subarray(2, begin));
  return bytes.length < end ? null : { value: bytes.subarray(begin, end), rest: bytes.subarray(end) };
};

/** Formats a result: `unavailable (52): The server is starting.` */
const sentenceOf = (code: number, result: Value): string => {
  const name = RESULTS[code];
  const matched = valueIn(result.rest, TAG.octets);
  const words = matched && valueIn(matched.rest, TAG.octets)?.value.toString('utf8').trim();
  const what = name === undefined ? `result code ${code}` : `${name} (${code})`;
  return words ? `${what}: ${words}` : what;
};

/** Requests TLS from an LDAP server (RFC 4511, 4.14). */
export const ldap = async (talk: StartTlsDialogue): Promise<void> => {
  const { wire } = talk;
  wire.send(REQUEST);
  const head = await receivedBytes(talk, wire.read(2, PATIENCE_MS));
  const [tag, first = 0x80] = head;
  const more = tag === TAG.sequence ? octetsAfter(first) : null;
  if (more === null) throw talk.stranger(head.toString('latin1') + wire.peek(100).toString('latin1'));
  const size = lengthOf(first, await receivedBytes(talk, wire.read(more, PATIENCE_MS)));
  if (size > MAX_LINE) throw talk.stranger(head.toString('latin1') + wire.peek(100).toString('latin1'));
  const message = await receivedBytes(talk, wire.read(size, PATIENCE_MS));
  const id = valueIn(message, TAG.integer);
  const response = id && valueIn(id.rest, TAG.extendedResponse);
  const result = response && valueIn(response.value, TAG.enumerated);
  if (!id || !result || result.value.length !== 1) throw talk.stranger(message.toString('latin1'));
  const code = result.value.readUInt8();
  // A message with the id 0 is unsolicited: it announces that the server closes the connection (RFC 4511, 4.4.1).
  const unasked = id.value.every((octet) => octet === 0);
  if (code === BUSY || unasked) throw talk.busy(sentenceOf(code, result));
  if (code !== SUCCESS) throw talk.refused(sentenceOf(code, result));
};
