import type { SslMetadata, SslParameters } from '../../domain/check/types/ssl.ts';
import { instantOf } from '../../domain/time.ts';
import { peerOf } from '../../network/failure-sentences.ts';
import type { Outcome, Run } from '../engine/check-type.ts';
import { timeoutFailure } from '../engine/connection-failure.ts';
import type { ProbeFailure } from '../engine/probe-failure.ts';
import { createStopwatch } from '../engine/stopwatch.ts';
import { withTimeout } from '../engine/with-timeout.ts';
import { judgeCertificate } from './judge-certificate.ts';
import { judge } from './judge.ts';
import { examineServer, noFindings } from './examine-server.ts';
import { metadataOf } from './metadata.ts';
import { missingFacts } from './missing-facts.ts';
import { rate, type Rating } from './rating/rate.ts';
import { ratedServer } from './rating/rated-server.ts';

/** The conclusions from the findings of a run. */
interface Verdict {
  /** null if findings are missing */
  rating: Rating | null;
  missing: SslMetadata['missing'];
  assertionFailed: boolean;
}

/** The verdict on a server that does not respond. */
const NONE: Verdict = { rating: null, missing: [], assertionFailed: false };

/**
 * Checks a TLS server. Each run performs one full handshake and examines the certificate. Protocols, ciphers and
 * vulnerabilities are examined once an hour, and whenever a person requests a run. Then the findings are rated and
 * evaluated (docs/reference/ssl-checks.md#judgement). When time is up after the handshake, the result says what is
 * missing, and there is no score.
 */
export const runSsl: Run = (check, context) => {
  const { assertions = {}, ca_certificate: ca, starttls } = check.parameters as SslParameters;
  const host = (check.host ?? '').replace(/^\[(.*)\]$/, '$1');
  const port = check.port ?? 443;
  const stopwatch = createStopwatch(context.clock);
  const seen = noFindings();

  const outcome = (failure: ProbeFailure | null, { rating, missing, assertionFailed }: Verdict): Outcome => ({
    status: failure?.status ?? 'ok',
    reason: failure?.reason ?? null,
    response_time: seen.handshake?.response_time ?? null,
    error_message: failure?.message ?? null,
    check_metadata: metadataOf({
      host,
      port,
      address: seen.dialer?.address?.address ?? null,
      starttls: seen.target && seen.target.starttls !== 'none' ? seen.target.starttls : null,
      handshake: seen.handshake,
      handshakeFailure: failure?.reason === 'tls' ? null : (seen.refusal?.message ?? null),
      certificate: seen.certificate?.info ?? null,
      scan: seen.enumeration?.scan ?? null,
      vulnerabilities: seen.enumeration?.vulnerabilities?.findings ?? null,
      rating,
      missing,
      scannedAt: seen.enumeration && instantOf(seen.enumeration.at),
      assertionFailed,
      timings: stopwatch.timings(),
    }),
  });

  /** Returns the outcome for a server that responds. @param why the reason why findings are missing, if any are */
  const judged = (why: string): Outcome => {
    const { certificate, enumeration } = seen;
    const missing = missingFacts(seen, why);
    const rating =
      certificate && enumeration?.vulnerabilities && missing.length === 0
        ? rate(ratedServer(certificate.info, enumeration.scan, enumeration.vulnerabilities.findings))
        : null;
    const rules = { expirationThreshold: assertions.expiration_threshold, now: context.clock.now() };
    const { failure, assertionFailed } = judge({
      certificate: certificate && judgeCertificate(certificate, rules),
      vulnerabilities: enumeration?.vulnerabilities?.findings ?? null,
      rating,
      missing: missing.map(({ details }) => details),
      wantedScore: rating === null && enumeration?.isContinuedLater ? undefined : assertions.ssl_score,
    });
    return outcome(failure, { rating, missing, assertionFailed });
  };

  const peer = (): string => {
    const reached = seen.dialer?.address;
    const addresses = reached ? [reached] : (seen.target?.addresses ?? []);
    return addresses.map(({ address }) => peerOf(address, port)).join(' or ') || host;
  };

  return withTimeout(
    check.timeout,
    { ...context, ...(ca !== undefined && { ca }) },
    async (limited) => {
      await examineServer(seen, { host, port, starttls }, stopwatch, limited);
      return judged(limited.signal.aborted ? `Time was up (${check.timeout} s)` : `${peer()} stopped answering`);
    },
    {
      timedOut: () => {
        const protocol = seen.target?.starttls ?? 'none';
        const asking =
          stopwatch.phase === 'connect' && protocol !== 'none' ? ` and asking for TLS over ${protocol}` : '';
        return timeoutFailure(check.timeout, stopwatch.phase, `${peer()}${asking}`, 0);
      },
      outcome: (failure) => {
        stopwatch.stop();
        return outcome(failure, NONE);
      },
    },
  );
};
