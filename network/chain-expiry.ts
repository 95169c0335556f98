import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { LRUCache } from 'lru-cache';

/** When a certificate path expires, and which certificate of it expires first. */
export interface ChainExpiry {
  /** milliseconds since 1970 */
  notAfter: number;
  certificate: X509Certificate;
}

/** The certificates that clients trust. */
export interface Trust {
  /** certificates (PEM) that are trusted besides those that Node.js trusts */
  trust: readonly string[];
  /** the only certificates (PEM) that are trusted */
  ca?: string;
}

/** Maximum number of certificates in a path, as in OpenSSL. */
const MAX_LENGTH = 10;
/** Maximum number of signatures verified for one chain, whatever a server sends. */
const MAX_SIGNATURES = 60;

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Trusted certificates as PEM text by subject. Text, because OpenSSL's objects take ten times as much memory. */
type Roots = ReadonlyMap<string, readonly string[]>;

const known = new LRUCache<string, Roots>({ max: 100 });

/** Reading the roots takes tens of milliseconds, so it is done once. */
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
 * When the path by which clients accept a chain expires. That is the earliest expiry on the path, from the server's
 * certificate to the root (OpenSSL and most clients also check the root's). If a chain has several paths, as with
 * cross-signed issuers, clients use another one after the first has expired, so the path that lasts longest counts.
 * Call it for chains that OpenSSL has accepted: it does not check again what the issuers may sign.
 *
 * @param chain in the order in which the server sent it, its own certificate first
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
      // OpenSSL does not know this kind of key.
      return false;
    }
  };

  /** The longest-lasting path from here to a root; null if no path leads to a root. */
  const endOf = (path: readonly X509Certificate[], one: X509Certificate): ChainExpiry | null => {
    const own = { notAfter: Date.parse(one.validTo), certificate: one };
    if (namedAs(one.subject).some(({ fingerprint256 }) => fingerprint256 === one.fingerprint256)) return own;
    if (path.length >= MAX_LENGTH) return null;
    let last: ChainExpiry | null = null;
    for (const issuer of [...namedAs(one.issuer), ...sent]) {
      // A path that expires before a known path can't improve the result.
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

/** The common name of a certificate's subject, or else its organization. */
export const subjectName = (certificate: X509Certificate): string => {
  // Node's types do not say that an empty name is undefined.
  const { subject = '' } = certificate as { subject?: string };
  return /^CN=(.+)$/m.exec(subject)?.[1] ?? /^O=(.+)$/m.exec(subject)?.[1] ?? 'unknown';
};
