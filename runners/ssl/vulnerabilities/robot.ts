import { constants, publicEncrypt, randomBytes, X509Certificate, type KeyObject } from 'node:crypto';
import { vector } from '../wire/bytes.ts';
import { HANDSHAKE, type Chosen } from '../wire/hello.ts';
import { PROTOCOLS } from '../wire/protocols.ts';
import { readRecord, record, RECORDS } from '../wire/records.ts';
import { suite } from '../wire/suites.ts';
import type { Wire } from '../wire/wire.ts';
import { allOf, OLDER, greeted, newestOlder, offerOf, PATIENCE_MS, type Subject } from './subject.ts';
import { unlessCutOff } from './evidence.ts';
import { safe, untested, vulnerable, type Finding } from './finding.ts';

/** Of a premaster secret, bytes (RFC 5246, 7.4.7.1). */
const PREMASTER = 48;
/** How often different answers have to be the same again, so that they are no chance. */
const ROUNDS = 3;
/** How long a server that waits for more is waited for, at least and at most, milliseconds. */
const GRACE_MS = { least: 50, most: 1_000 } as const;

/**
 * ROBOT (CVE-2017-13099 and others; https://robotattack.org): by its answers the server tells whether an RSA-encrypted
 * message was well-formed, which decrypts recorded connections after some ten thousand questions. It gets five
 * premaster secrets, none of which fits to its Finished; a healthy server answers to all alike, and as late.
 */
export const robot = async (subject: Subject): Promise<Finding> => {
  const { facts } = subject;
  const protocol = newestOlder(facts, (name) => facts.protocols[name].suites.some(encryptsWithRsa));
  if (protocol === null)
    return unlessCutOff(
      facts,
      OLDER,
      safe('The server accepts no suite with RSA key exchange, which the attack needs.'),
    );
  const suites = facts.protocols[protocol].suites.filter(encryptsWithRsa);
  const offer = offerOf(subject, protocol, suites);
  // Those that the server takes one after another wait for each other.
  let fastest = Infinity;
  const answersTo = (): Promise<(string | null)[]> =>
    allOf(
      FORMS.map((form) =>
        greeted(subject, offer, (chosen, wire, took) => {
          fastest = Math.min(fastest, took);
          return answerTo(form, chosen, wire, graceAfter(fastest));
        }),
      ),
    );

  const first = await answersTo();
  if (first.includes(null))
    return untested("The server's certificate has no RSA key that a secret could be encrypted with.");
  if (new Set(first).size === 1)
    return safe(
      'The server answers to five malformed premaster secrets alike, so that it tells nothing about their padding.',
    );
  for (let round = 1; round < ROUNDS; round++) {
    const again = await answersTo();
    if (again.some((answer, index) => answer !== first[index]))
      return untested('The server answered to the same premaster secrets differently each time.');
  }
  return oracle(first);
};

const encryptsWithRsa = (id: number): boolean => {
  const { exchange, authentication, export: weakened } = suite(id);
  return exchange === 'RSA' && authentication === 'RSA' && !weakened;
};

const graceAfter = (handshakeMs: number): number => Math.min(GRACE_MS.most, Math.max(GRACE_MS.least, 3 * handshakeMs));

/** A padded premaster secret of so many bytes (RFC 8017, 7.2.1), or what pretends to be one. */
type Form = (length: number, version: number) => Buffer;

const nonZero = (length: number): Buffer => randomBytes(length).map((byte) => byte || 1) as Buffer;

const padded = (length: number, start: readonly number[], end: Buffer): Buffer =>
  Buffer.concat([Buffer.from(start), nonZero(length - start.length - end.length), end]);

const secret = (version: number): Buffer =>
  Buffer.concat([Buffer.from([version >> 8, version & 255]), nonZero(PREMASTER - 2)]);

const ZERO = Buffer.from([0]);

/** In this order; see {@link oracle}. */
const FORMS: readonly Form[] = [
  // well-formed
  (length, version) => padded(length, [0, 2], Buffer.concat([ZERO, secret(version)])),
  // it does not begin as encrypted secrets do
  (length, version) => padded(length, [0, 0x17], Buffer.concat([ZERO, secret(version)])),
  // the zero between padding and secret is at the wrong place
  (length) => padded(length, [0, 2], Buffer.concat([nonZero(PREMASTER - 1), ZERO, nonZero(1)])),
  // there is no zero
  (length) => padded(length, [0, 2], Buffer.alloc(0)),
  // the secret is of another version
  (length) => padded(length, [0, 2], Buffer.concat([ZERO, secret(0x0202)])),
];

/** A record that nobody has encrypted, as long as a Finished with each cipher. */
const FINISHED = Buffer.alloc(64, 0xaa);

/** What a server says to a secret, and when; null if none can be encrypted for it. */
const answerTo = async (form: Form, chosen: Chosen, wire: Wire, grace: number): Promise<string | null> => {
  const encrypted = encryptedFor(chosen, form);
  if (!encrypted) return null;
  const { version } = chosen;
  const exchange = version > PROTOCOLS.ssl_3_0 ? vector(2, encrypted) : encrypted;
  const message = Buffer.concat([Buffer.from([HANDSHAKE.clientKeyExchange]), vector(3, exchange)]);
  wire.send(record(RECORDS.handshake, version, message));
  const atOnce = await said(wire, grace, grace);
  if (atOnce !== 'silent') return `at once: ${atOnce}`;
  wire.send(
    Buffer.concat([
      record(RECORDS.changeCipherSpec, version, Buffer.from([1])),
      record(RECORDS.handshake, version, FINISHED),
    ]),
  );
  return `at the end: ${await said(wire, PATIENCE_MS, grace)}`;
};

/** Records of an answer that are told apart; some servers send an alert twice. */
const MOST = 3;

/**
 * What a server says: its records, else how it ended the connection.
 *
 * @param patience for the first record, and `grace` for those behind it, milliseconds
 */
const said = async (wire: Wire, patience: number, grace: number): Promise<string> => {
  const first = await readRecord(wire, patience);
  const records: string[] = [];
  for (let heard = first; heard.kind === 'record' && records.length < MOST; heard = await readRecord(wire, grace))
    records.push(heard.type === RECORDS.alert ? `alert ${String(heard.body[1])}` : `record ${heard.type.toString()}`);
  return records.length > 0 ? records.join(', ') : first.kind;
};

const encryptedFor = ({ certificates, version }: Chosen, form: Form): Buffer | null => {
  const key = keyOf(certificates?.[0]);
  if (!key) return null;
  const length = Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
  if (length < PREMASTER + 11) return null;
  try {
    return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, form(length, version));
  } catch {
    // A key that OpenSSL does not like, such as one with an even modulus.
    return null;
  }
};

/** The RSA key of a certificate (DER); null if it has another, or can't be read. */
const keyOf = (certificate: Buffer | undefined): KeyObject | null => {
  if (!certificate) return null;
  try {
    const { publicKey } = new X509Certificate(certificate);
    return publicKey.asymmetricKeyType === 'rsa' ? publicKey : null;
  } catch {
    return null;
  }
};

/**
 * Who treats all that is not padded well alike has told the least: only secrets that are wholly well-formed differ,
 * which random ones hardly ever are (the paper, section 3.3).
 */
const oracle = ([, wrongStart, wrongPlace, noZero]: readonly (string | null)[]): Finding => {
  const isWeak = wrongStart === wrongPlace && wrongPlace === noZero;
  const advice =
    'Turn off RSA key exchange (cipher suites that begin with TLS_RSA_), or update the TLS library or appliance.';
  return isWeak
    ? vulnerable(
        'The server tells by its answers whether an RSA-encrypted secret was wholly well-formed (a weak oracle): ' +
          `recorded connections can be decrypted with millions of questions. ${advice}`,
        'weak_oracle',
      )
    : vulnerable(
        'The server tells by its answers how the padding of an RSA-encrypted secret was wrong (a strong oracle): ' +
          `recorded connections can be decrypted, and its signature forged, within hours. ${advice}`,
        'strong_oracle',
      );
};
