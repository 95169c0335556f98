import { allOf } from '../engine/all-of.ts';
import { TlsFailed } from '../../network/tls.ts';
import { RunAborted, type RunContext } from '../engine/check-type.ts';
import type { Stopwatch } from '../engine/stopwatch.ts';
import { trustedAnchors } from './certificate/anchors.ts';
import { createDialer, targetOf, type Dialer, type TlsTarget } from './dial.ts';
import { enumerate, supportsAnyProtocol, type Enumerated } from './enumeration.ts';
import { examineCertificate, examineRevocation, type Examined, type ServerCertificate } from './examine-certificate.ts';
import { handshake, type Handshake } from './handshake.ts';
import type { ScanFacts } from './scan/facts.ts';
import { isUsualServer, rawHandshake } from './raw-handshake.ts';

/** The findings of a run so far. */
export interface SslFindings {
  target: TlsTarget | null;
  dialer: Dialer | null;
  handshake: Handshake | null;
  /** the reason why there was no full handshake; null if there was one, or if none was attempted */
  refusal: TlsFailed | null;
  certificate: Examined | null;
  enumeration: Enumerated | null;
}

export const noFindings = (): SslFindings => ({
  target: null,
  dialer: null,
  handshake: null,
  refusal: null,
  certificate: null,
  enumeration: null,
});

/**
 * Examines a server: first its handshake, then concurrently its certificate, and its protocols, ciphers and
 * vulnerabilities. If time is up after the handshake, so that the context's signal aborts, returns with the findings so
 * far.
 *
 * @param seen receives each finding as soon as it is known
 * @throws errors of openConnection; StartTlsFailed; TlsFailed if there is no handshake with any protocol; LocalFailure;
 * RunAborted; the signal's reason
 */
export const examineServer = async (
  seen: SslFindings,
  asked: Parameters<typeof targetOf>[0],
  stopwatch: Stopwatch,
  context: RunContext,
): Promise<void> => {
  stopwatch.enter('lookup');
  const target = await targetOf(asked, context);
  seen.target = target;
  const dialer = createDialer(target, context);
  seen.dialer = dialer;
  stopwatch.enter('connect');
  const shown = await shake(dialer, asked.host, stopwatch, context);
  stopwatch.stop();
  if (!(shown instanceof TlsFailed)) {
    seen.handshake = shown;
    await allOf([
      examine(seen, asked.host, shown, context),
      enumerateInto(seen, dialer, context, async () => undefined),
    ]);
    return;
  }
  seen.refusal = shown;
  await enumerateInto(seen, dialer, context, (scan) => insist(seen, shown, dialer, scan, context));
};

/** Performs the full handshake. Returns an error if the server or Node.js refused it. */
const shake = async (
  dialer: Dialer,
  host: string,
  stopwatch: Stopwatch,
  { clock, signal }: RunContext,
): Promise<Handshake | TlsFailed> => {
  const wire = await dialer.dial();
  stopwatch.enter('tls');
  try {
    return await handshake(wire.release(), { serverName: host, peer: wire.peer, clock, signal });
  } catch (error) {
    if (error instanceof TlsFailed) return error;
    throw error;
  }
};

/**
 * Examines a server with which Node.js could not complete a handshake. The check does not fail if the server requires a
 * client certificate, or supports only protocols or suites that Node.js lacks, such as SSL 3.0.
 *
 * @param refusal the reason why there was no handshake
 * @throws TlsFailed (`refusal`) if the check fails, or if the time was up before this could be decided
 */
const insist = async (
  seen: SslFindings,
  refusal: TlsFailed,
  dialer: Dialer,
  scan: ScanFacts,
  context: RunContext,
): Promise<void> => {
  if (!supportsAnyProtocol(scan)) throw refusal;
  await unlessTimeIsUp(context, async () => {
    const begun = await rawHandshake(dialer, scan);
    if (!begun || (isUsualServer(scan) && !begun.certificateRequested)) throw refusal;
    await examine(seen, dialer.target.host, { chain: begun.chain, staple: null }, context);
  });
  if (!seen.certificate) throw refusal;
};

const enumerateInto = async (
  seen: SslFindings,
  dialer: Dialer,
  context: RunContext,
  afterScan: (scan: ScanFacts) => Promise<void>,
): Promise<void> => {
  const took = seen.handshake?.response_time;
  seen.enumeration = await enumerate({ dialer, ...(took !== undefined && { took }), afterScan }, context);
};

/** Examines a certificate. Stores the result without the revocation status first, then adds the status. */
const examine = async (
  seen: SslFindings,
  host: string,
  shown: ServerCertificate,
  context: RunContext,
): Promise<void> => {
  const examined = examineCertificate(shown, { host, anchors: trustedAnchors(context), now: context.clock.now() });
  seen.certificate = withoutRevocation(examined);
  await unlessTimeIsUp(context, async () => {
    seen.certificate = await examineRevocation(examined, context);
  });
};

/** Returns the result for the case that no source returns the revocation status in time. */
const withoutRevocation = (examined: Examined): Examined => {
  const { info } = examined;
  if (!info || info.is_revoked !== null) return examined;
  const details = 'Time was up before it was known whether the certificate is revoked.';
  return { ...examined, info: { ...info, revocation: { ...info.revocation, details } } };
};

/** Calls `step`, and ignores its failure if the run's time is up. */
const unlessTimeIsUp = async ({ signal }: RunContext, step: () => Promise<void>): Promise<void> => {
  try {
    await step();
  } catch (error) {
    if (error !== signal.reason || error instanceof RunAborted) throw error;
  }
};
