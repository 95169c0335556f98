import type { CertificateInfo } from '../../domain/check/types/certificate-info.ts';
import { DAY_MS, instantOf } from '../../domain/time.ts';
import type { RunContext } from '../engine/check-type.ts';
import type { Anchors } from './certificate/anchors.ts';
import { queryRevocation, type RevocationAnswer } from './certificate/query-revocation.ts';
import { describe } from './certificate/describe.ts';
import { cut, isSameName, shortName } from './certificate/distinguished-name.ts';
import { hostName, nameText } from './certificate/host-match.ts';
import { notesOn } from './certificate/notes.ts';
import { buildPath, firstToExpire } from './certificate/certification-path.ts';
import { hostProblem, revokedProblem, timeProblem } from './certificate/problems.ts';
import { readCertificate, UnreadableCertificate, type Certificate } from './certificate/read-certificate.ts';
import type { RevocationStatus } from './certificate/revocation-status.ts';
import { readStaple } from './certificate/staple.ts';
import { isEv, validationOf } from './certificate/validation.ts';

/** Maximum number of certificates in a result. */
const SHOWN_CERTIFICATES = 10;
/** Maximum number of names in a result. */
const SHOWN_NAMES = 100;
/** Maximum number of certificates of a chain that are read. Usually, a server sends two or three. */
const MAX_SENT = 50;

/** The certificates that a server sent in its handshake. */
export interface ServerCertificate {
  /** DER, in the order in which they were sent, the server's own first */
  chain: readonly Uint8Array[];
  /** the stapled OCSP response in DER; null if the server sent none */
  staple: Uint8Array | null;
}

/** The facts by which a certificate is examined. */
export interface CertificateExpectations {
  /** the host of the check, or another name for which the certificate must be valid */
  host: string;
  anchors: Anchors;
  /** in milliseconds since 1970 */
  now: number;
}

/** An examined certificate, or a sentence that says why there is none. */
export type Examined =
  | {
      info: CertificateInfo;
      server: Certificate;
      /**
       * the trusted issuer, which is needed to query the revocation status; otherwise a sentence that says why the
       * status is not queried
       */
      issuer: Certificate | string;
    }
  | { info: null; sentence: string };

/**
 * Examines a server's certificate without network access: its validity period, its names, the path to a trust anchor,
 * and the stapled OCSP response. The amount of work is bounded, whatever a server sends.
 */
export const examineCertificate = (
  { chain, staple }: ServerCertificate,
  expected: CertificateExpectations,
): Examined => {
  const [der] = chain;
  if (!der) return { info: null, sentence: 'The server showed no certificate.' };
  const server = readable(der);
  if (!server) return { info: null, sentence: 'The certificate of the server cannot be read: it is not valid X.509.' };
  const { anchors, now } = expected;
  const host = hostName(expected.host);
  const others = chain.slice(1, MAX_SENT).map(readable);
  const sent = others.filter((one) => one !== null);
  const built = buildPath(server, sent, { anchors, now });
  const trustedIssuer = built.path?.[1] ?? null;
  const first = built.path && firstToExpire(built.path, sent, anchors);
  const stapled = readStaple(staple, server, { issuer: trustedIssuer ?? issuerIn(sent, server), now });
  const validation = validationOf(server);
  const wrongTime = timeProblem(server, now);
  const wrongHost = hostProblem(server, host);
  const names = server.names.flatMap((name) => nameText(name) ?? []);

  const info: CertificateInfo = {
    cert_date_valid: !wrongTime,
    hostname_mismatch: wrongHost !== null,
    in_trust_store: built.path !== null,
    is_ev_cert: built.path !== null && isEv(built.path),
    is_revoked: null,
    ...describe(server),
    ocsp_stapling_details: stapled.details,
    revocation: { source: null, revoked_at: null, reason: null, details: 'Revocation was not checked.' },
    days_left: Math.floor((server.notAfter - now) / DAY_MS),
    ...(first && {
      issuer_expires_first: {
        subject: shortName(first.subject),
        not_after: instantOf(first.notAfter),
        days_left: Math.floor((first.notAfter - now) / DAY_MS),
      },
    }),
    subject_alternative_names: names.slice(0, SHOWN_NAMES).map((name) => cut(name, 255)),
    subject_alternative_names_total: names.length,
    key_curve: server.key.curve,
    self_signed: server.selfSigned,
    validation,
    must_staple: server.mustStaple,
    embedded_scts: server.scts,
    chain: [server, ...sent].slice(0, SHOWN_CERTIFICATES).map(describe),
    chain_total: chain.length,
    path: built.path && built.path.map(describe),
    problems: [wrongTime, wrongHost, built.path ? null : built.problem].filter((problem) => problem !== null),
    notes: notesOn({
      server,
      sent: [server, ...sent],
      unreadable: others.length - sent.length,
      path: built.path,
      validation,
      staple: stapled.details,
      now,
    }),
  };
  const whyNot = whyNotAsked(info, server, built.path?.length ?? 0);
  const examined = { info, server, issuer: whyNot ?? trustedIssuer ?? '' };
  return stapled.answer && stapled.answer.status !== 'unknown'
    ? { ...examined, info: withStatus(info, 'staple', stapled.answer, 'the stapled OCSP response') }
    : examined;
};

/**
 * Queries the revocation status of an examined certificate, unless the stapled response contains it. Queries the OCSP
 * responder and, if that fails, the revocation list of the issuer. Takes at most ten seconds; if there is no answer by
 * then, the status remains unknown.
 *
 * If the context's signal aborts, rejects with the signal's reason.
 */
export const examineRevocation = async (examined: Examined, context: RunContext): Promise<Examined> => {
  if (!examined.info || examined.info.is_revoked !== null) return examined;
  const { info, server, issuer } = examined;
  if (typeof issuer === 'string') return { ...examined, info: unknown(info, issuer) };
  const asked = await queryRevocation(server, issuer, context);
  if (!asked.answer) return { ...examined, info: unknown(info, asked.details) };
  return { ...examined, info: withStatus(info, asked.source, asked.answer, WHO[asked.source](asked.from)) };
};

const WHO: Record<NonNullable<RevocationAnswer['source']>, (from: string) => string> = {
  ocsp: (from) => `the OCSP responder at ${from}`,
  crl: (from) => `the revocation list at ${from}`,
};

const readable = (der: Uint8Array): Certificate | null => {
  try {
    return readCertificate(der);
  } catch (error) {
    if (error instanceof UnreadableCertificate) return null;
    throw error;
  }
};

/** Finds the issuer of a certificate among the certificates that the server sent. */
const issuerIn = (sent: readonly Certificate[], { issuer }: Certificate): Certificate | null =>
  sent.find(({ subject }) => isSameName(issuer, subject)) ?? null;

/** Returns a sentence that says why the revocation status is not queried; null if it is queried. */
const whyNotAsked = (info: CertificateInfo, server: Certificate, length: number): string | null => {
  if (server.selfSigned) return 'A self-signed certificate cannot be revoked.';
  // Anyone may have made an untrusted certificate, so its URLs must not be requested.
  if (!info.in_trust_store) return 'Revocation was not checked because the certificate leads to no trusted root.';
  if (length < 2) return 'Revocation was not checked because the certificate itself is trusted.';
  return info.cert_date_valid
    ? null
    : 'Revocation was not checked because authorities answer only about certificates that are valid at the time.';
};

const unknown = (info: CertificateInfo, details: string): CertificateInfo => ({
  ...info,
  revocation: { ...info.revocation, details },
});

const withStatus = (
  info: CertificateInfo,
  source: 'staple' | 'ocsp' | 'crl',
  answer: RevocationStatus,
  from: string,
): CertificateInfo => {
  const isRevoked = answer.status === 'revoked';
  const problem = revokedProblem(answer, from);
  return {
    ...info,
    is_revoked: isRevoked,
    revocation: {
      source,
      revoked_at: answer.revokedAt === null ? null : instantOf(answer.revokedAt),
      reason: answer.reason,
      details: isRevoked ? problem.details : `Certificate is not revoked according to ${from}.`,
    },
    problems: isRevoked ? [problem, ...info.problems] : info.problems,
  };
};
