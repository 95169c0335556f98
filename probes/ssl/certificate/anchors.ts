import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import * as tls from 'node:tls';
import { LRUCache } from 'lru-cache';
import { isLocalFailure } from '../../../network/failure-sentences.ts';
import { LocalFailure } from '../../../network/local-failure.ts';
import { readCertificate, type Certificate } from './read-certificate.ts';

/** Trust anchors: certificates that are trusted by configuration. */
export interface Anchors {
  /** Returns the trust anchors whose name is that of the certificate's issuer. */
  namedAs: (issuerOf: X509Certificate) => Certificate[];
  has: (certificate: Certificate) => boolean;
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Normalises a name as printed by OpenSSL. The results are equal if OpenSSL considers the names equal. */
const nameKey = (name: string): string => name.toLowerCase().replace(/[ \t]+/g, ' ');

/** Reads trust anchors. Skips unreadable certificates. @param texts each contains one or more certificates as PEM */
export const anchorsIn = (texts: Iterable<string>): Anchors => {
  const byName = new Map<string, Buffer[]>();
  const fingerprints = new Set<string>();
  // Removes duplicates before parsing, because most certificates appear twice and parsing is slow.
  const blocks = new Set([...texts].flatMap((text) => (text.match(PEM) ?? []).map((pem) => pem.replace(/\s/g, ''))));
  for (const block of blocks) {
    const certificate = readable(block);
    if (!certificate) continue;
    fingerprints.add(certificate.fingerprint256.replaceAll(':', ''));
    const key = nameKey(certificate.subject);
    byName.set(key, [...(byName.get(key) ?? []), certificate.raw]);
  }
  return {
    // Stores the bytes of certificates and parses them at each call, because OpenSSL's objects take ten times as much
    // memory.
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
  /** certificates (PEM) that are trusted in addition to the default ones */
  trust?: readonly string[];
  /** certificates (PEM) that are trusted instead of all others */
  ca?: string;
}

const known = new LRUCache<string, Anchors>({ max: 100 });

/**
 * Returns the certificates that a run trusts: the roots of Node.js and of the system or, if a check names certificates,
 * only those.
 *
 * @throws LocalFailure if the system's roots currently can't be read
 */
export const trustedAnchors = ({ trust = [], ca }: Trust): Anchors => {
  const key = ca === undefined ? `in addition:${trust.join('\n')}` : `instead:${ca}`;
  const found = known.get(key);
  if (found) return found;
  const anchors = anchorsIn(ca === undefined ? [...tls.rootCertificates, ...systemRoots(), ...trust] : [ca]);
  known.set(key, anchors);
  return anchors;
};

/** Files with the roots of a system, for (in this order) Debian and Alpine, Red Hat, SUSE, and BSD and macOS. */
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

/** Reads a file; returns an empty text if the file does not exist. */
const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isLocalFailure((error as NodeJS.ErrnoException).code ?? ''))
      throw new LocalFailure(`The runner can't read ${path}.`, { cause: error });
    return '';
  }
};
