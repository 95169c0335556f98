import type { NetworkContext } from '../../../network/context.ts';
import type { Dialer } from '../dial.ts';
import { alertName } from '../wire/alerts.ts';
import type { Offer } from '../wire/client-hello.ts';
import { hello, type Answer, type Chosen } from '../wire/hello.ts';
import type { ProtocolName } from '../wire/protocols.ts';
import type { Quiet, Wire } from '../wire/wire.ts';
import type { ScanFacts } from '../scan/facts.ts';
import { offerIn } from '../scan/offers.ts';
import { unlessCutOff } from './evidence.ts';
import { safe, untested, type Finding } from './finding.ts';

/** The server under test. */
export interface Subject extends Pick<NetworkContext, 'clock' | 'signal'> {
  facts: ScanFacts;
  dialer: Dialer;
  /** no other test runs concurrently, so that silence is the server's response */
  alone: boolean;
}

/** How long a server may be silent after a hello before silence counts as its response, milliseconds. */
export const PATIENCE_MS = 2_000;

/** The protocols before TLS 1.3, whose handshakes start in clear text; the newest first. */
export const OLDER = ['tls_1_2', 'tls_1_1', 'tls_1_0', 'ssl_3_0'] as const satisfies readonly ProtocolName[];

/** The newest protocol before TLS 1.3 that the server supports, with suites that suit the test. */
export const newestOlder = (
  { protocols }: ScanFacts,
  isFit: (name: ProtocolName) => boolean = (name) => protocols[name].suites.length > 0,
): ProtocolName | null => OLDER.find((name) => protocols[name].supported && isFit(name)) ?? null;

/**
 * The finding of a test that needs an older protocol, if the server supports none: `sentence`, if it supports TLS 1.3.
 */
export const withoutOlder = (facts: ScanFacts, sentence: string): Finding =>
  unlessCutOff(
    facts,
    OLDER,
    facts.protocols.tls_1_3.supported ? safe(sentence) : untested('The server speaks nothing newer than SSL 2.0.'),
  );

/**
 * An offer of a protocol with suites that the server accepts in it, in a form that it understands; default: all suites.
 */
export const offerOf = (
  { facts, dialer }: Subject,
  protocol: ProtocolName,
  suites = facts.protocols[protocol].suites,
): Offer => offerIn(facts.protocols[protocol].form, protocol, suites, dialer.target.serverName);

/** The server refused the hello of a test; the message is a sentence. */
export class NotGreeted extends Error {
  readonly wasAnswered: boolean;

  constructor(answer: Exclude<Answer, Chosen>) {
    super(`The server ${REFUSALS[answer.kind](answer)}.`);
    this.name = 'NotGreeted';
    this.wasAnswered = !isQuiet(answer);
  }
}

/** Whether the server sent nothing, which may also mean that it is busy with other connections. */
export const isQuiet = (answer: Answer): answer is { kind: Quiet } =>
  answer.kind === 'silent' || answer.kind === 'closed' || answer.kind === 'reset';

const REFUSALS: Record<Exclude<Answer, Chosen>['kind'], (answer: Exclude<Answer, Chosen>) => string> = {
  alert: (answer) =>
    answer.kind === 'alert'
      ? `answered the hello of this test with the alert ${alertName(answer.description)}`
      : 'refused the hello of this test',
  garbage: () => 'answered the hello of this test with something other than TLS',
  closed: () => 'closed the connection after the hello of this test',
  reset: () => 'reset the connection after the hello of this test',
  silent: () => 'did not answer the hello of this test',
};

/**
 * Opens a connection, sends a hello, passes the server's choice to `then`, and closes the connection.
 *
 * @param then also receives the response time, milliseconds
 * @throws NotGreeted; errors of a dialer
 */
export const greeted = async <T>(
  { dialer, clock }: Pick<Subject, 'dialer' | 'clock'>,
  offer: Offer,
  then: (chosen: Chosen, wire: Wire, took: number) => Promise<T> | T,
): Promise<T> => {
  const wire = await dialer.dial();
  try {
    const began = clock.monotonic();
    const answer = await hello(wire, offer);
    if (answer.kind !== 'hello') throw new NotGreeted(answer);
    return await then(answer, wire, clock.monotonic() - began);
  } finally {
    wire.close();
  }
};
