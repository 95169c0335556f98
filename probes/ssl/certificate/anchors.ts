import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import * as tls from 'node:tls';
import { LRUCache } from 'lru-cache';
import { isLocalFailure } from '../../../network/failure-sentences.ts';
import { LocalFailure } from '../../../network/local-failure.ts';
import { readCertificate, type Certificate } from './read-certificate.ts';

/** Certificates that are trusted by configuration. */
export interface Anchors {
  /** trusted certificates that may have issued a certificate, by its issuer's name */
  namedAs: (issuerOf: X509Certificate) => Certificate[];
  has: (certificate: Certificate) => boolean;
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Names as OpenSSL prints them; equal for names that it considers equal. */
const nameKey = (name: string): string => name.toLowerCase().replace(/[ \t]+/g, ' ');

/** @param texts PEM, each of one or more certificates; skips unreadable ones */
export const anchorsIn = (texts: Iterable<string>): Anchors => {
  const byName = new Map<string, Buffer[]>();
  const fingerprints = new Set<string>();
  // Most certificates appear twice, and parsing takes longer than a look-up.
  const blocks = new Set([...texts].flatMap((text) => (text.match(PEM) ?? []).map((pem) => pem.replace(/\s/g, ''))));
  for (const block of blocks) {
    const certificate = readable(block);
    if (!certificate) continue;
    fingerprints.add(certificate.fingerprint256.replaceAll(':', ''));
    const key = nameKey(certificate.subject);
    byName.set(key, [...(byName.get(key) ?? []), certificate.raw]);
  }
  return {
    // Parsed at each call: an OpenSSL object takes ten times as much memory as the bytes.
    namedAs: ({ issuer }) => (byName.get(nameKey(issuer)) ?? []).map((der) => readCertificate(der)),
    has: ({ fingerprint }) => fingerprints.has(fingerprint),
  };
};

/** @param block PEM without white space */
const readable = (block: string): X509Certificate | null => {
  try {
    return new X509Certificate(Buffer.from(block.replace(/-----[A-Z]+-----/g, ''), 'base64'));
  } catch {
    return null;
  }
};

interface Trust {
  /** certificates (PEM) that are trusted besides the default ones */
  trust?: readonly string[];
  /** the only certificates (PEM) that are trusted */
  ca?: string;
}

const known = new LRUCache<string, Anchors>({ max: 100 });

/**
 * The certificates that a run trusts: the roots of Node.js and of the system, or only the certificates that a check
 * names.
 *
 * @throws LocalFailure the system's roots are unreadable at present
 */
export const trustedAnchors = ({ trust = [], ca }: Trust): Anchors => {
  const key = ca ?? trust.join('\n');
  const found = known.get(key);
  if (found) return found;
  const anchors = anchorsIn(ca === undefined ? [...tls.rootCertificates, ...systemRoots(), ...trust] : [ca]);
  known.set(key, anchors);
  return anchors;
};

/** Files with a system's roots: Debian and Alpine, Red Hat, SUSE, BSD and macOS. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** Available since Node.js 22.15. */
const { getCACertificates } = tls as { getCACertificates?: (type: 'system' | 'extra') => string[] };

const systemRoots = (): string[] => [
  ...BUNDLES.map(textOf),
  ...(getCACertificates ? [...getCACertificates('system'), ...getCACertificates('extra')] : [extra()]),
];

const extra = (): string => {
  const path = process.env['NODE_EXTRA_CA_CERTS'];
  return path === undefined ? '' : textOf(path);
};

/** The text of a file; empty if it does not exist. */
const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isLocalFailure((error as NodeJS.ErrnoException).code ?? ''))
      throw new LocalFailure(`The runner can't read ${path}.`, { cause: error });
    return '';
  }
};
