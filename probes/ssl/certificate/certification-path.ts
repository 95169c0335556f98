import type { CertificateProblem } from '../../../domain/check/types/certificate-info.ts';
import { instantOf } from '../../../domain/time.ts';
import type { Anchors } from './anchors.ts';
import { cut, isSameName, shortName } from './distinguished-name.ts';
import { comparisons, forbiddenName } from './name-constraints.ts';
import type { Certificate } from './read-certificate.ts';
import { dayOf } from './durations.ts';

/** A path from the server's certificate to a trust anchor, including both, or the reason why there is none. */
export type CertificationPath =
  { path: readonly [Certificate, ...Certificate[]] } | { path: null; problem: CertificateProblem };

/** Maximum number of certificates in a path, as in OpenSSL. */
const MAX_LENGTH = 10;
/**
 * Maximum number of signatures that are verified for one path. A hostile server may send certificates that all seem to
 * issue each other.
 */
const MAX_SIGNATURES = 60;
/**
 * Maximum number of comparisons of names with name constraints for one path. A hostile server may send ten thousand
 * names and as many constraints.
 */
const MAX_COMPARISONS = 2 ** 18;

const SERVER_AUTHENTICATION: readonly string[] = ['1.3.6.1.5.5.7.3.1', '2.5.29.37.0'];

interface Attempt {
  sent: readonly Certificate[];
  anchors: Anchors;
  /** in milliseconds since 1970 */
  now: number;
  signaturesLeft: number;
  comparisonsLeft: number;
  /** why the longest path that was tried failed */
  worst: { length: number; problem: CertificateProblem } | null;
}

/**
 * Builds a path from a server's certificate to a trust anchor and validates the path (RFC 5280, 6): the signatures, and
 * the validity periods and permissions of the issuers. The caller must check the validity period of the server's own
 * certificate. The order of `sent` does not matter.
 *
 * @param sent the certificates that the server sent in addition to its own
 * @param now milliseconds since 1970
 */
export const buildPath = (
  leaf: Certificate,
  sent: readonly Certificate[],
  { anchors, now }: { anchors: Anchors; now: number },
): CertificationPath => {
  const attempt: Attempt = {
    sent,
    anchors,
    now,
    signaturesLeft: MAX_SIGNATURES,
    comparisonsLeft: MAX_COMPARISONS,
    worst: null,
  };
  const refusal = refusalOfServer(leaf);
  if (refusal !== null) return { path: null, problem: notPermitted(refusal) };
  const path = extended([leaf], attempt);
  return path ? { path } : { path: null, problem: attempt.worst?.problem ?? missingIssuer(leaf) };
};

/** Maximum number of paths that are compared to find the one that lasts longest. */
const MAX_PATHS = 5;

/**
 * Returns the issuer whose expiry ends the trust in a certificate before the certificate itself expires; null if there
 * is none. Roots count too, because some clients, such as OpenSSL, check their expiry. When an issuer expires, clients
 * use another path if there is one (for example, if issuers are cross-signed), so the path that lasts longest counts.
 *
 * @param path result of {@link buildPath}
 */
export const firstToExpire = (
  path: readonly [Certificate, ...Certificate[]],
  sent: readonly Certificate[],
  anchors: Anchors,
): Certificate | null => {
  const [leaf] = path;
  const firstOf = (issuers: readonly Certificate[]): Certificate | null =>
    issuers.reduce<Certificate | null>((first, one) => (first && first.notAfter <= one.notAfter ? first : one), null);
  let first = firstOf(path.slice(1));
  for (let paths = 1; first && first.notAfter < leaf.notAfter && paths < MAX_PATHS; paths++) {
    const later = buildPath(leaf, sent, { anchors, now: first.notAfter + 1_000 });
    if (!later.path) break;
    first = firstOf(later.path.slice(1));
  }
  return first && first.notAfter < leaf.notAfter ? first : null;
};

const extended = (
  path: readonly [Certificate, ...Certificate[]],
  attempt: Attempt,
): readonly [Certificate, ...Certificate[]] | null => {
  const last = path.at(-1) ?? path[0];
  if (attempt.anchors.has(last)) return path;
  const note = (problem: CertificateProblem): void => {
    if (path.length > (attempt.worst?.length ?? 0)) attempt.worst = { length: path.length, problem };
  };
  const candidates = [...attempt.anchors.namedAs(last.x509), ...attempt.sent]
    .filter(
      (candidate) =>
        isSameName(last.issuer, candidate.subject) &&
        !path.some(({ fingerprint }) => fingerprint === candidate.fingerprint),
    )
    // Puts candidates with matching key identifiers first.
    .sort((one, other) => Number(last.x509.checkIssued(other.x509)) - Number(last.x509.checkIssued(one.x509)));
  for (const issuer of candidates) {
    const problem = issuerProblem(path, issuer, attempt);
    if (problem) {
      note(problem);
      continue;
    }
    const found = extended([...path, issuer], attempt);
    if (found) return found;
  }
  note(last.selfSigned ? untrusted(last, path.length === 1) : missingIssuer(last));
  return null;
};

/**
 * Returns the reason why an issuer with a matching name can't continue a path; null if the issuer can continue the
 * path.
 */
const issuerProblem = (
  path: readonly [Certificate, ...Certificate[]],
  issuer: Certificate,
  attempt: Attempt,
): CertificateProblem | null => {
  const last = path.at(-1) ?? path[0];
  const name = `"${shortName(issuer.subject)}"`;
  if (path.length >= MAX_LENGTH || attempt.signaturesLeft-- <= 0)
    return {
      code: 'incomplete_chain',
      details: 'The server sends too many certificates to find a path to a trusted root.',
    };
  if (!isSigned(last, issuer))
    return {
      code: 'bad_signature',
      details: `The signature of ${name} on the certificate "${shortName(last.subject)}" is wrong: put the right certificate of that issuer in the chain.`,
    };
  const refusal = refusalOfIssuer(path, issuer, attempt);
  if (refusal !== null) return notPermitted(refusal);
  if (issuer.notAfter < attempt.now || issuer.notBefore > attempt.now) {
    const when =
      issuer.notAfter < attempt.now
        ? `expired on ${dayOf(instantOf(issuer.notAfter))}`
        : `is not valid before ${dayOf(instantOf(issuer.notBefore))}`;
    return {
      code: 'expired_issuer',
      details: `Certificate of the issuer ${name} ${when}: put its current one in the chain.`,
    };
  }
  return null;
};

const isSigned = ({ x509 }: Certificate, issuer: Certificate): boolean => {
  try {
    return x509.verify(issuer.x509.publicKey);
  } catch {
    // OpenSSL does not support this kind of key or signature.
    return false;
  }
};

const mayServe = ({ purposes }: Certificate): boolean =>
  purposes === null || purposes.some((purpose) => SERVER_AUTHENTICATION.includes(purpose));

const refusalOfServer = (leaf: Certificate): string | null => {
  if (!mayServe(leaf)) return 'Certificate is not issued for servers: its extended key usage lacks serverAuth.';
  return refusalOfExtensions(leaf, 'Certificate');
};

const refusalOfExtensions = ({ unknownCritical: [oid] }: Certificate, whose: string): string | null =>
  oid === undefined
    ? null
    : `${whose} has a critical extension that clients do not know (${cut(oid, 64)}), so they refuse it.`;

/** Returns the reason why an issuer is not permitted at the end of a path; null if the issuer is permitted. */
const refusalOfIssuer = (path: readonly Certificate[], issuer: Certificate, attempt: Attempt): string | null => {
  const isAnchor = attempt.anchors.has(issuer);
  const whose = `Certificate of the issuer "${shortName(issuer.subject)}"`;
  const isOld = isAnchor && issuer.version === 1;
  if (!issuer.isAuthority && !isOld) return `${whose} does not belong to an authority, so it may not issue others.`;
  if (issuer.keyUsage?.certificates === false)
    return `${whose} may not sign certificates: its key usage lacks keyCertSign.`;
  const between = path.slice(1).filter(({ subject, issuer: by }) => !isSameName(subject, by)).length;
  if (issuer.pathLength !== null && between > issuer.pathLength)
    return `${whose} allows only ${issuer.pathLength} further authorities below it, but there are ${between}.`;
  if (!isAnchor && !mayServe(issuer)) return `${whose} is not for servers: its extended key usage lacks serverAuth.`;
  const { constraints } = issuer;
  if (constraints)
    for (const [place, one] of path.entries()) {
      // Constraints don't apply to a self-issued certificate, by which an authority replaces its key (RFC 5280, 6.1.3).
      if (place > 0 && isSameName(one.issuer, one.subject)) continue;
      attempt.comparisonsLeft -= comparisons(one, constraints);
      if (attempt.comparisonsLeft < 0) return `${whose} limits too many names for this certificate to be checked.`;
      const forbidden = forbiddenName(one, constraints);
      if (forbidden !== null) return `${whose} does not allow it to certify ${cut(forbidden, 100)}.`;
    }
  return isAnchor ? null : refusalOfExtensions(issuer, whose);
};

const notPermitted = (details: string): CertificateProblem => ({ code: 'not_permitted', details });

const untrusted = (root: Certificate, isLeaf: boolean): CertificateProblem =>
  isLeaf
    ? {
        code: 'self_signed',
        details:
          'Certificate is self-signed: use one from an authority, or name it in `ca_certificate` if this is intended.',
      }
    : {
        code: 'unknown_root',
        details: `Certificate leads to the root "${shortName(root.subject)}", which is not trusted: name it in \`ca_certificate\` if it is yours.`,
      };

const missingIssuer = ({ issuer, issuerUrls }: Certificate): CertificateProblem => {
  const [url] = issuerUrls.flatMap(shownUrl);
  const where = url === undefined ? '' : ` (${url})`;
  return {
    code: 'incomplete_chain',
    details: `Certificate chain is incomplete: the server does not send the certificate of the issuer "${shortName(issuer)}"${where}, which is not a trusted root either.`,
  };
};

/** Returns a URL for an error message, in an array. The array is empty if the URL is too long or is not an HTTP URL. */
const shownUrl = (text: string): string[] =>
  URL.canParse(text) && /^https?:/i.test(text) && new URL(text).href.length <= 120 ? [new URL(text).href] : [];
