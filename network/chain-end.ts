import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { LRUCache } from 'lru-cache';

/** When the first certificate of a path expires. */
export interface ChainEnd {
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

/** The most certificates in a path, as in OpenSSL and others. */
const MAX_LENGTH = 10;
/** The most signatures verified for one chain, whatever a server sends. */
const MAX_SIGNATURES = 60;

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Trusted certificates by their subjects: texts, since objects of OpenSSL take ten times as much memory. */
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
 * When the path expires by which clients accept a chain: the first certificate of it that does, from the server's own to
 * the root, whose time OpenSSL and most other clients check too. Where a chain has several paths, as with cross-signed
 * issuers, clients take another one when one has expired, so the one that lasts longest counts. It is meant for chains
 * that OpenSSL has accepted, so what issuers may do is not looked at again.
 *
 * @param chain as the server sent it, its own first
 * @param now milliseconds since 1970
 */
export const chainEnd = (
  [leaf, ...sent]: readonly [X509Certificate, ...X509Certificate[]],
  trust: Trust,
  now: number,
): ChainEnd => {
  const roots = rootsOf(trust);
  const namedAs = (name: string): X509Certificate[] => (roots.get(name) ?? []).flatMap(readable);
  let signaturesLeft = MAX_SIGNATURES;

  const issued = (one: X509Certificate, issuer: X509Certificate): boolean => {
    if (!one.checkIssued(issuer) || signaturesLeft-- <= 0) return false;
    try {
      return one.verify(issuer.publicKey);
    } catch {
      // A key of a kind that OpenSSL does not know.
      return false;
    }
  };

  /** The end of the path from here that lasts longest; null if none leads to a root. */
  const endOf = (path: readonly X509Certificate[], one: X509Certificate): ChainEnd | null => {
    const own = { notAfter: Date.parse(one.validTo), certificate: one };
    if (namedAs(one.subject).some(({ fingerprint256 }) => fingerprint256 === one.fingerprint256)) return own;
    if (path.length >= MAX_LENGTH) return null;
    let last: ChainEnd | null = null;
    for (const issuer of [...namedAs(one.issuer), ...sent]) {
      // What expires earlier than a path that is known does not make a better one.
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
