import type { NetworkContext } from '../../../network/context.ts';
import type { Dialer } from '../dial.ts';
import { alertName } from '../wire/alerts.ts';
import type { Offer } from '../wire/client-hello.ts';
import { sendHello, type HelloResponse, type ServerChoice } from '../wire/hello.ts';
import type { ProtocolName } from '../wire/protocols.ts';
import type { ReadEnd, Wire } from '../wire/wire.ts';
import type { ScanFacts } from '../scan/facts.ts';
import { offerIn } from '../scan/offers.ts';
import { unlessCutOff } from './evidence.ts';
import { safe, untested, type VulnerabilityFinding } from './finding.ts';

/** The server under test. */
export interface TestedServer extends Pick<NetworkContext, 'clock' | 'signal'> {
  facts: ScanFacts;
  dialer: Dialer;
  /** whether no other test runs concurrently, so that a missing response is due to this test */
  alone: boolean;
}

/**
 * How long a test waits for a response after the hello, in milliseconds. After this time, the test evaluates the
 * missing response.
 */
export const PATIENCE_MS = 2_000;

/** The protocols before TLS 1.3, the newest first. Their handshakes start in clear text. */
export const OLDER = ['tls_1_2', 'tls_1_1', 'tls_1_0', 'ssl_3_0'] as const satisfies readonly ProtocolName[];

/** Returns the newest protocol before TLS 1.3 that the server supports and for which `isFit` returns true. */
export const newestOlder = (
  { protocols }: ScanFacts,
  isFit: (name: ProtocolName) => boolean = (name) => protocols[name].suites.length > 0,
): ProtocolName | null => OLDER.find((name) => protocols[name].supported && isFit(name)) ?? null;

/**
 * Returns the finding of a test that needs a protocol before TLS 1.3, for a server that supports none.
 *
 * @param sentence why a server that supports only TLS 1.3 is not vulnerable
 */
export const withoutOlder = (facts: ScanFacts, sentence: string): VulnerabilityFinding =>
  unlessCutOff(
    facts,
    OLDER,
    facts.protocols.tls_1_3.supported ? safe(sentence) : untested('The server speaks nothing newer than SSL 2.0.'),
  );

/**
 * Creates an offer of suites that the server accepts in a protocol (by default, all of them), in a form that the server
 * understands.
 */
export const offerOf = (
  { facts, dialer }: TestedServer,
  protocol: ProtocolName,
  suites = facts.protocols[protocol].suites,
): Offer => offerIn(facts.protocols[protocol].form, protocol, suites, dialer.target.serverName);

/** The server refused the hello of a test. The message is a sentence. */
export class HelloRefused extends Error {
  readonly wasAnswered: boolean;

  constructor(answer: Exclude<HelloResponse, ServerChoice>) {
    super(`The server ${REFUSALS[answer.kind](answer)}.`);
    this.name = 'HelloRefused';
    this.wasAnswered = !isNoResponse(answer);
  }
}

/**
 * Returns whether the server sent nothing. A healthy server may also send nothing while it is busy with other
 * connections.
 */
export const isNoResponse = (answer: HelloResponse): answer is { kind: ReadEnd } =>
  answer.kind === 'silent' || answer.kind === 'closed' || answer.kind === 'reset';

const REFUSALS: Record<
  Exclude<HelloResponse, ServerChoice>['kind'],
  (answer: Exclude<HelloResponse, ServerChoice>) => string
> = {
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
 * @param then also receives the response time, in milliseconds
 * @throws HelloRefused; errors of a dialer
 */
export const withHello = async <T>(
  { dialer, clock }: Pick<TestedServer, 'dialer' | 'clock'>,
  offer: Offer,
  then: (chosen: ServerChoice, wire: Wire, took: number) => Promise<T> | T,
): Promise<T> => {
  const wire = await dialer.dial();
  try {
    const began = clock.monotonic();
    const answer = await sendHello(wire, offer);
    if (answer.kind !== 'hello') throw new HelloRefused(answer);
    return await then(answer, wire, clock.monotonic() - began);
  } finally {
    wire.close();
  }
};
