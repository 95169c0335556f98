import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { LRUCache } from 'lru-cache';

/** When a certificate path expires, and which of its certificates expires first. */
export interface ChainExpiry {
  /** expiry, in milliseconds since 1970 */
  notAfter: number;
  certificate: X509Certificate;
}

/** Settings that determine which certificates clients trust. */
export interface Trust {
  /** certificates (PEM) that are trusted in addition to those that Node.js trusts */
  trust: readonly string[];
  /** PEM text with the only trusted certificates; replaces `trust` and those of Node.js */
  ca?: string;
}

/** Maximum number of certificates in a path, as in OpenSSL. */
const MAX_LENGTH = 10;
/** Maximum number of signatures that are verified for one chain. Bounds the work that a hostile server can cause. */
const MAX_SIGNATURES = 60;

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Trusted certificates by subject. They are stored as PEM text, because OpenSSL's objects take ten times as much
 * memory.
 */
type Roots = ReadonlyMap<string, readonly string[]>;

const known = new LRUCache<string, Roots>({ max: 100 });

/** Returns the trusted certificates. Parsing them takes tens of milliseconds, so the result is cached. */
const rootsOf = ({ trust, ca }: Trust): Roots => {
  const key = ca ?? trust.join('\n');
  const found = known.get(key);
  if (found) return found;
  const roots = new Map<string, string[]>();
  for (const pem of (ca === undefined ? [...rootCertificates, ...trust] : [ca]).flatMap(
    (text) => text.match(PEM) ?? [],
  ))
    for (const { subject } of readable(pem)) roots.set(subject, [...(roots.get(subject) ?? []), pem]);
  known.set(key, roots);
  return roots;
};

const readable = (pem: string): X509Certificate[] => {
  try {
    return [new X509Certificate(pem)];
  } catch {
    return [];
  }
};

/**
 * Computes when a chain expires for clients: at the earliest expiry of a certificate on the path from the server's
 * certificate to a root. The root counts too, because OpenSSL and most clients check its expiry. A chain has several
 * paths if an issuer is cross-signed. When one path expires, clients switch to another path, so the path that lasts
 * longest counts.
 *
 * Only call this function for chains that OpenSSL has accepted, because the function does not check which certificates
 * the issuers are allowed to sign.
 *
 * @param chain in the order in which the server sent it, beginning with the server's own certificate
 * @param now milliseconds since 1970
 */
export const chainExpiryOf = (
  [leaf, ...sent]: readonly [X509Certificate, ...X509Certificate[]],
  trust: Trust,
  now: number,
): ChainExpiry => {
  const roots = rootsOf(trust);
  const namedAs = (name: string): X509Certificate[] => (roots.get(name) ?? []).flatMap(readable);
  let signaturesLeft = MAX_SIGNATURES;

  const issued = (one: X509Certificate, issuer: X509Certificate): boolean => {
    if (!one.checkIssued(issuer) || signaturesLeft-- <= 0) return false;
    try {
      return one.verify(issuer.publicKey);
    } catch {
      // OpenSSL does not support this type of key.
      return false;
    }
  };

  /** Returns the expiry of the longest-lasting path from a certificate to a root; null if no path leads to a root. */
  const endOf = (path: readonly X509Certificate[], one: X509Certificate): ChainExpiry | null => {
    const own = { notAfter: Date.parse(one.validTo), certificate: one };
    if (namedAs(one.subject).some(({ fingerprint256 }) => fingerprint256 === one.fingerprint256)) return own;
    if (path.length >= MAX_LENGTH) return null;
    let last: ChainExpiry | null = null;
    for (const issuer of [...namedAs(one.issuer), ...sent]) {
      // This path would expire before the best path so far, so it can't improve the result.
      if (Date.parse(issuer.validTo) < Math.max(now, last?.notAfter ?? 0) || Date.parse(issuer.validFrom) > now)
        continue;
      if (path.some(({ fingerprint256 }) => fingerprint256 === issuer.fingerprint256) || !issued(one, issuer)) continue;
      const end = endOf([...path, issuer], issuer);
      if (end && end.notAfter > (last?.notAfter ?? -Infinity)) last = end;
    }
    return last && (last.notAfter < own.notAfter ? last : own);
  };

  return endOf([leaf], leaf) ?? { notAfter: Date.parse(leaf.validTo), certificate: leaf };
};

/** Returns the common name of a certificate's subject, or its organization if there is no common name. */
export const subjectName = (certificate: X509Certificate): string => {
  // `subject` is undefined if the subject is empty; the types of Node.js don't declare that.
  const { subject = '' } = certificate as { subject?: string };
  return /^CN=(.+)$/m.exec(subject)?.[1] ?? /^O=(.+)$/m.exec(subject)?.[1] ?? 'unknown';
};
