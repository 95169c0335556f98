import { allOf } from '../../engine/all-of.ts';
import { vector } from '../wire/bytes.ts';
import { HANDSHAKE, type ServerChoice } from '../wire/hello.ts';
import { PROTOCOLS } from '../wire/protocols.ts';
import { readRecord, record, RECORDS } from '../wire/records.ts';
import { suite } from '../wire/suites.ts';
import type { Wire } from '../wire/wire.ts';
import { encryptedFor, PREMASTER_SECRET_FORMS, type PremasterSecretForm } from './premaster-secrets.ts';
import { OLDER, withHello, newestOlder, offerOf, PATIENCE_MS, type TestedServer } from './tested-server.ts';
import { unlessCutOff } from './evidence.ts';
import { safe, untested, vulnerable, type VulnerabilityFinding } from './finding.ts';

/** Number of rounds that must show the same differences, to exclude chance. */
const ROUNDS = 3;
/** Time for reading bytes that have already arrived, in milliseconds. */
const MOMENT_MS = 2;
/** Minimum and maximum time to wait for a server that may itself wait for the client, in milliseconds. */
const GRACE_MS = { least: 10, most: 1_000 } as const;
/** Time to wait for such a server, as a multiple of its response time. */
const GRACE_FACTOR = 3;

/**
 * Tests for ROBOT (CVE-2017-13099 and others; https://robotattack.org): the responses of a vulnerable server reveal
 * whether an RSA-encrypted message was well-formed, so that recorded connections can be decrypted with some ten
 * thousand queries. The test sends five premaster secrets, each with a Finished message that does not match. A healthy
 * server responds to all of them identically and after the same time.
 */
export const robot = async (subject: TestedServer): Promise<VulnerabilityFinding> => {
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
  const grace = graceAfter(await withHello(subject, offer, (chosen, wire) => timeOf(chosen, wire, subject)));
  const answersToAll = (): Promise<(Answer | null)[]> =>
    allOf(
      PREMASTER_SECRET_FORMS.map((form) =>
        withHello(subject, offer, (chosen, wire) => answerTo(form, chosen, wire, grace)),
      ),
    );

  const rounds: Answer[][] = [];
  while (rounds.length < ROUNDS) {
    const round = (await answersToAll()).filter((answer) => answer !== null);
    if (round.length < PREMASTER_SECRET_FORMS.length)
      return untested("The server's certificate has no RSA key with which a secret could be encrypted.");
    rounds.push(round);
    if (rounds.length === 1 && areAlike(round.map(inWords)))
      return safe(
        'The server answers differently padded premaster secrets alike, so it reveals nothing about their padding.',
      );
  }
  const usual = usualOf(rounds);
  return usual === null || areAlike(usual)
    ? untested('The server answered the same premaster secrets differently each time.')
    : oracle(usual);
};

/** A server's response to a secret. */
interface Answer {
  response: string;
  /** whether the server responded before the client's Finished message */
  early: boolean;
}

const inWords = ({ response, early }: Answer): string => `${response}, ${early ? 'early' : 'late'}`;

const areAlike = (answers: readonly string[]): boolean => new Set(answers).size === 1;

/**
 * Returns the usual response to each form; null if the response to any form was not the same in all rounds. Whether the
 * server responds early varies by chance, so the majority of the rounds decides whether a response counts as early.
 */
const usualOf = (rounds: readonly (readonly Answer[])[]): string[] | null => {
  const usual = PREMASTER_SECRET_FORMS.map((_, index) => {
    const answers = rounds.flatMap((round) => round[index] ?? []);
    const [{ response } = { response: '' }] = answers;
    const early = answers.filter((answer) => answer.early).length * 2 > answers.length;
    return answers.every((answer) => answer.response === response) ? inWords({ response: response, early }) : null;
  });
  return usual.includes(null) ? null : usual.filter((answer) => answer !== null);
};

const encryptsWithRsa = (id: number): boolean => {
  const { exchange, authentication, export: weakened } = suite(id);
  return exchange === 'RSA' && authentication === 'RSA' && !weakened;
};

const graceAfter = (answerMs: number): number =>
  Math.min(GRACE_MS.most, Math.max(GRACE_MS.least, Math.ceil(GRACE_FACTOR * answerMs)));

/** Content of the Finished record: not validly encrypted, but long enough for any cipher. */
const FINISHED = Buffer.alloc(64, 0xaa);

/** Creates a ClientKeyExchange with a secret of this form; null if no secret can be encrypted for the server. */
const keyExchange = (form: PremasterSecretForm, { version, certificates }: ServerChoice): Buffer | null => {
  const encrypted = encryptedFor(certificates?.[0], form, version);
  if (!encrypted) return null;
  const exchange = version > PROTOCOLS.ssl_3_0 ? vector(2, encrypted) : encrypted;
  const message = Buffer.concat([Buffer.from([HANDSHAKE.clientKeyExchange]), vector(3, exchange)]);
  return record(RECORDS.handshake, version, message);
};

/** Creates the messages that a client sends after its ClientKeyExchange. */
const finish = (version: number): Buffer =>
  Buffer.concat([
    record(RECORDS.changeCipherSpec, version, Buffer.from([1])),
    record(RECORDS.handshake, version, FINISHED),
  ]);

/** Measures how long the server takes to decrypt a secret and respond to all messages, in milliseconds. */
const timeOf = async (chosen: ServerChoice, wire: Wire, { clock }: Pick<TestedServer, 'clock'>): Promise<number> => {
  const exchange = keyExchange(PREMASTER_SECRET_FORMS[0], chosen);
  if (!exchange) return 0;
  const began = clock.monotonic();
  wire.send(Buffer.concat([exchange, finish(chosen.version)]));
  await readRecord(wire, GRACE_MS.most);
  return clock.monotonic() - began;
};

/** Returns the response to a secret of this form; null if no secret can be encrypted for the server. */
const answerTo = async (
  form: PremasterSecretForm,
  chosen: ServerChoice,
  wire: Wire,
  grace: number,
): Promise<Answer | null> => {
  const exchange = keyExchange(form, chosen);
  if (!exchange) return null;
  wire.send(exchange);
  const early = await answerOn(wire, grace, grace);
  if (early !== 'silent') return { response: early, early: true };
  // If this process was delayed, a response may have arrived in time without being read.
  const unread = await answerOn(wire, MOMENT_MS, grace);
  if (unread !== 'silent') return { response: unread, early: true };
  wire.send(finish(chosen.version));
  return { response: await answerOn(wire, PATIENCE_MS, grace), early: false };
};

/** Maximum number of records of a response that are compared. Some servers send an alert twice. */
const MOST = 3;

/**
 * Reads the response of a server. Returns the records of the response; if the server sent none, how the server ended
 * the connection.
 *
 * @param patience timeout of the first record, in milliseconds
 * @param grace timeout of each further record, in milliseconds
 */
const answerOn = async (wire: Wire, patience: number, grace: number): Promise<string> => {
  const first = await readRecord(wire, patience);
  const records: string[] = [];
  for (let heard = first; heard.kind === 'record' && records.length < MOST; heard = await readRecord(wire, grace))
    records.push(heard.type === RECORDS.alert ? `alert ${String(heard.body[1])}` : `record ${heard.type}`);
  return records.length > 0 ? records.join(', ') : first.kind;
};

/**
 * Returns a finding of a weak or strong oracle. The oracle is weak if all badly padded secrets get the same response.
 * With a weak oracle, only completely well-formed secrets get a different response, and an attacker's random secrets
 * are hardly ever well-formed (ROBOT paper, section 3.3).
 */
const oracle = ([, wrongStart, wrongPlace, noZero]: readonly string[]): VulnerabilityFinding => {
  const isWeak = wrongStart === wrongPlace && wrongPlace === noZero;
  const advice =
    'Turn off RSA key exchange (cipher suites that begin with TLS_RSA_), or update the TLS library or appliance.';
  return isWeak
    ? vulnerable(
        "The server's answers reveal whether an RSA-encrypted secret was completely well-formed (a weak oracle): " +
          `recorded connections can be decrypted with millions of queries. ${advice}`,
        'weak_oracle',
      )
    : vulnerable(
        "The server's answers reveal how the padding of an RSA-encrypted secret was wrong (a strong oracle): " +
          `recorded connections can be decrypted, and the server's signature forged, within hours. ${advice}`,
        'strong_oracle',
      );
};
