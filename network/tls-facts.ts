import type { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { DAY_MS, instantOf } from '../domain/time.ts';
import type { IssuerExpiry, TlsFacts } from '../domain/check/types/metadata.ts';
import { chainExpiryOf, subjectName, type Trust } from './chain-expiry.ts';
import { certificateOf } from './tls.ts';

/**
 * Limits of the cache of expiry times: number of chains, and lifetime in milliseconds. Entries expire because the
 * trusted certificates may change.
 */
const ENDS = { max: 5_000, ttl: 3_600_000 };
/** Maximum length of a name, in characters. */
const LONGEST_NAME = 100;
/** Maximum number of certificates of a chain that are examined. Servers send two or three. */
const MOST = 20;

/** Facts about the TLS layer of a connection. */
export interface LazyTlsFacts {
  /** the facts that are available immediately */
  facts: TlsFacts;
  /**
   * Returns the facts including the issuers. Computing the issuers takes long, so call this when no duration is being
   * measured.
   */
  factsWithIssuers: () => TlsFacts;
}

/**
 * Returns facts about the TLS layer of a connection.
 *
 * @param now milliseconds since 1970
 * @returns null for a plain connection, or if the server sent no certificate
 */
export const tlsFacts = (
  socket: Socket,
  now: number,
  { trust = [], ca }: { trust?: readonly string[]; ca?: string },
): LazyTlsFacts | null => {
  if (!(socket instanceof TLSSocket)) return null;
  const leaf = certificateOf(socket);
  const notAfter = Date.parse(leaf?.validTo ?? '');
  if (!leaf || Number.isNaN(notAfter)) return null;
  const facts: TlsFacts = {
    version: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().standardName,
    not_after: instantOf(notAfter),
    days_left: Math.floor((notAfter - now) / DAY_MS),
  };
  const whole = (): TlsFacts => {
    const end = issuerEnd(chainOf(leaf), { trust, ...(ca !== undefined && { ca }) }, now);
    return end ? { ...facts, issuer_expires_first: expiryOf(end, now) } : facts;
  };
  return { facts, factsWithIssuers: whole };
};

const chainOf = (leaf: X509Certificate): [X509Certificate, ...X509Certificate[]] => {
  const chain: [X509Certificate, ...X509Certificate[]] = [leaf];
  // If the server did not send the issuer's certificate, `issuerCertificate` is absent. A root certificate is its own
  // issuer.
  for (let next = leaf.issuerCertificate; next && chain.length < MOST; next = next.issuerCertificate) {
    if (chain.at(-1)?.fingerprint256 === next.fingerprint256) break;
    chain.push(next);
  }
  return chain;
};

interface IssuerEnd {
  subject: string;
  /** milliseconds since 1970 */
  notAfter: number;
}

const ends = new LRUCache<string, { end: IssuerEnd | null }>(ENDS);

/** Returns the issuer that expires before the server's certificate; null if no issuer does. */
const issuerEnd = (
  chain: readonly [X509Certificate, ...X509Certificate[]],
  trust: Trust,
  now: number,
): IssuerEnd | null => {
  const key = [...chain.map(({ fingerprint256 }) => fingerprint256), trust.ca ?? trust.trust.join('\n')].join(' ');
  const known = ends.get(key);
  if (known) return known.end;
  const { notAfter, certificate } = chainExpiryOf(chain, trust, now);
  const end =
    certificate.fingerprint256 === chain[0].fingerprint256
      ? null
      : { subject: subjectName(certificate).slice(0, LONGEST_NAME), notAfter };
  ends.set(key, { end });
  return end;
};

const expiryOf = ({ subject, notAfter }: IssuerEnd, now: number): IssuerExpiry => ({
  subject,
  not_after: instantOf(notAfter),
  days_left: Math.floor((notAfter - now) / DAY_MS),
});
