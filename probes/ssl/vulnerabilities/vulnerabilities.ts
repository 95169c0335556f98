import type { NetworkContext } from '../../../network/context.ts';
import { explainConnectFailure } from '../../../network/not-connected.ts';
import { allOf } from '../../engine/all-of.ts';
import type { Dialer } from '../dial.ts';
import { StartTlsFailed } from '../starttls.ts';
import type { ScanFacts } from '../scan/facts.ts';
import type { ServerChoice } from '../wire/hello.ts';
import { beast } from './beast.ts';
import { ccsInjection } from './ccs-injection.ts';
import { crime } from './crime.ts';
import { drown } from './drown.ts';
import { fallbackScsv } from './fallback-scsv.ts';
import {
  untested,
  type VulnerabilityFinding,
  type VulnerabilityFindings,
  VULNERABILITIES,
  type VulnerabilityName,
} from './finding.ts';
import { freak } from './freak.ts';
import { heartbleed } from './heartbleed.ts';
import { logjam } from './logjam.ts';
import { NoHandshake, olderHandshake } from './older-handshake.ts';
import { poodleSsl } from './poodle-ssl.ts';
import { rc4 } from './rc4.ts';
import { robot } from './robot.ts';
import { sessionRenegotiation } from './session-renegotiation.ts';
import { withHello, newestOlder, HelloRefused, offerOf, withoutOlder, type TestedServer } from './tested-server.ts';
import { sweet32 } from './sweet32.ts';
import { ticketbleed } from './ticketbleed.ts';

/** Offered compression methods (RFC 3749): DEFLATE, and none. */
const COMPRESSION = [1, 0];

/**
 * Tests a server for known vulnerabilities by observing its behaviour. For a healthy server, this takes twelve
 * connections; the dialer limits how many are concurrent. If a test gets no response while other tests run, the test is
 * repeated alone, because a server that serves one client at a time may have been busy with the other tests.
 *
 * When the context's signal aborts, or when the server accepts no more connections, returns the findings so far. For
 * the tests that were not performed, the findings say so.
 *
 * @throws LocalFailure
 */
export const vulnerabilitiesOf = async (
  dialer: Dialer,
  facts: ScanFacts,
  { clock, signal }: Pick<NetworkContext, 'clock' | 'signal'>,
): Promise<VulnerabilityTests> => {
  const found = new Map<VulnerabilityName, VulnerabilityFinding>();
  const unanswered: VulnerabilityName[] = [];
  let complete = true;

  const attempting = (alone: boolean): ((name: VulnerabilityName) => Promise<void>) => {
    const tests = testsOf({ dialer, facts, clock, signal, alone });
    return async (name) => {
      try {
        found.set(name, await tests[name]());
      } catch (error) {
        const reason = whyUntested(error, signal);
        if (reason === null) throw error;
        found.set(name, untested(reason.details));
        complete &&= reason.kind !== 'lost';
        if (reason.kind === 'unanswered' && !alone) unanswered.push(name);
      }
    };
  };

  const attempt = attempting(false);
  await allOf(VULNERABILITIES.filter((name) => !LAST.has(name)).map(attempt));
  await allOf([...LAST].map(attempt));
  if (unanswered.length > 0) {
    dialer.goAlone();
    const attemptAlone = attempting(true);
    for (const name of unanswered) await attemptAlone(name);
  }
  return {
    findings: Object.fromEntries(VULNERABILITIES.map((name) => [name, found.get(name)])) as VulnerabilityFindings,
    complete,
  };
};

/** The results of the tests. */
export interface VulnerabilityTests {
  findings: VulnerabilityFindings;
  /** false if time was up, or if the server accepted no more connections, before all tests were done */
  complete: boolean;
}

/**
 * Tests that run after all other tests. These tests renegotiate, which may take long. During this time, a server that
 * serves one client at a time would not respond to other tests.
 */
const LAST: ReadonlySet<VulnerabilityName> = new Set(['ticketbleed', 'session_renegotiation']);

type Test = () => Promise<VulnerabilityFinding> | VulnerabilityFinding;

/** Creates the tests. A step that two tests share is performed only once. */
const testsOf = (subject: TestedServer): Record<VulnerabilityName, Test> => {
  const { facts, alone } = subject;
  const greeting = once(() => greetingOf(subject));
  const handshake = once(() =>
    olderHandshake(subject).catch((error: unknown) => {
      if (error instanceof NoHandshake && (error.wasAnswered || alone)) return error;
      throw error;
    }),
  );
  return {
    heartbleed: () => heartbleed(subject),
    ccs_injection: () => ccsInjection(subject),
    robot: () => robot(subject),
    ticketbleed: async () => ticketbleed(subject, await handshake()),
    session_renegotiation: async () => {
      const chosen = await greeting();
      return chosen
        ? sessionRenegotiation(chosen, await handshake())
        : withoutOlder(facts, 'The server speaks only TLS 1.3, which has no renegotiation.');
    },
    drown: () => drown(facts),
    poodle_ssl: () => poodleSsl(facts),
    freak: () => freak(facts),
    logjam: () => logjam(facts),
    crime: async () => {
      const chosen = await greeting();
      return chosen ? crime(chosen) : withoutOlder(facts, 'The server speaks only TLS 1.3, which has no compression.');
    },
    rc4: () => rc4(facts),
    sweet32: () => sweet32(facts),
    beast: () => beast(facts),
    fallback_scsv: () => fallbackScsv(subject),
  };
};

/**
 * Offers compression and secure renegotiation (RFC 5746), and returns the server's choice; null if the server supports
 * no protocol from SSL 3.0 to TLS 1.2.
 */
const greetingOf = async (subject: TestedServer): Promise<ServerChoice | null> => {
  const protocol = newestOlder(subject.facts);
  if (protocol === null) return null;
  return withHello(subject, { ...offerOf(subject, protocol), compression: COMPRESSION }, (chosen) => chosen);
};

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
};

/**
 * Returns the reason why a test was not possible; null if the error says nothing about the server. The kind of the
 * reason is `lost` if further tests are impossible too, and `unanswered` if the server sent nothing.
 */
const whyUntested = (
  error: unknown,
  signal: AbortSignal,
): { details: string; kind: 'lost' | 'unanswered' | 'refused' } | null => {
  if (signal.aborted) return { details: 'Time was up before this was tested.', kind: 'lost' };
  if (error instanceof HelloRefused || error instanceof NoHandshake)
    return { details: error.message, kind: error.wasAnswered ? 'refused' : 'unanswered' };
  if (error instanceof StartTlsFailed) return { details: error.message, kind: 'lost' };
  const why = explainConnectFailure(error);
  return why ? { details: why.sentence, kind: 'lost' } : null;
};
