import type { CertificateInfo } from '../../../domain/check/types/certificate-info.ts';
import { DAY_MS, instantOf } from '../../../domain/time.ts';
import { shortName } from './distinguished-name.ts';
import type { Certificate } from './read-certificate.ts';
import { isWeakSignature } from './signature-algorithms.ts';
import { dayOf } from './durations.ts';

/**
 * Longest validity that browsers accept from public authorities, in days (CA/Browser Forum, Baseline Requirements
 * 6.3.2).
 */
const LONGEST_DAYS = 398;
const LEAST_RSA_BITS = 2_048;

/** The facts that the notes on a certificate depend on. */
export interface NotedFacts {
  server: Certificate;
  /** the certificates that the server sent, its own first */
  sent: readonly Certificate[];
  /** number of certificates sent by the server that are unreadable */
  unreadable: number;
  path: readonly Certificate[] | null;
  validation: CertificateInfo['validation'];
  staple: CertificateInfo['ocsp_stapling_details'];
  /** in milliseconds since 1970 */
  now: number;
}

/** Returns notes on a certificate: defects that do not make the check fail, and possible improvements. */
export const notesOn = (noted: NotedFacts): string[] => [
  ...notesOnStrength(noted),
  ...notesOnStaple(noted),
  ...notesOnPublic(noted),
  ...notesOnChain(noted),
];

const notesOnStrength = ({ server, path }: NotedFacts): string[] => {
  const notes: string[] = [];
  // The signature of the trust anchor does not matter.
  const signed = (path ?? [server]).slice(0, path && path.length > 1 ? -1 : undefined);
  for (const one of signed)
    if (isWeakSignature(one.signatureAlgorithm))
      notes.push(
        `Certificate "${shortName(one.subject)}" is signed with ${one.signatureAlgorithm}, which clients refuse as too weak.`,
      );
  const { type, size } = server.key;
  if (type.startsWith('RSA') && size !== null && size < LEAST_RSA_BITS)
    notes.push(`The key has only ${size} bits: clients refuse RSA keys of fewer than 2048.`);
  return notes;
};

const notesOnStaple = ({ server, staple }: NotedFacts): string[] => {
  if (staple.stapled && staple.valid !== true) return [staple.details];
  if (server.mustStaple && !staple.stapled)
    return [
      'Certificate requires a stapled OCSP response (must-staple), but the server sends none: turn on OCSP stapling.',
    ];
  return [];
};

/** Applies the rules for certificates of public authorities. Such certificates are recognised by their policies. */
const notesOnPublic = ({ server, validation }: NotedFacts): string[] => {
  if (validation === null) return [];
  const notes: string[] = [];
  const days = Math.floor((server.notAfter - server.notBefore) / DAY_MS);
  if (days > LONGEST_DAYS)
    notes.push(`Certificate is valid for ${days} days: browsers accept no more than ${LONGEST_DAYS}.`);
  if (server.scts === 0)
    notes.push('Certificate contains no signed certificate timestamps, so browsers may refuse it.');
  return notes;
};

const notesOnChain = ({ server, sent, unreadable, path, now }: NotedFacts): string[] => {
  const notes: string[] = [];
  const [, ...others] = sent;
  const names = (some: readonly Certificate[]): string =>
    some
      .slice(0, 3)
      .map(({ subject }) => `"${shortName(subject)}"`)
      .join(', ');
  if (unreadable > 0) notes.push(`The server sends certificates that can't be read: ${unreadable}.`);
  if (new Set(sent.map(({ fingerprint }) => fingerprint)).size < sent.length)
    notes.push('The server sends a certificate more than once.');
  const expired = others.filter(({ notAfter }) => notAfter < now);
  if (expired.length > 0) notes.push(`The server sends expired certificates of issuers: ${names(expired)}.`);
  if (!path) return notes;
  const first = path.slice(1).sort((one, other) => one.notAfter - other.notAfter)[0];
  if (first && first.notAfter < server.notAfter)
    notes.push(
      `Certificate of the issuer "${shortName(first.subject)}" expires before the server's own, on ${dayOf(instantOf(first.notAfter))}.`,
    );
  const isIn = (one: Certificate): boolean => path.some(({ fingerprint }) => fingerprint === one.fingerprint);
  const root = others.find((one) => one.selfSigned && isIn(one));
  if (root)
    notes.push(`The server also sends the root certificate "${shortName(root.subject)}", which clients already have.`);
  const needless = others.filter((one) => !isIn(one));
  if (needless.length > 0)
    notes.push(`The server sends certificates that do not belong to its path: ${names(needless)}.`);
  const order = others.filter(isIn).map((one) => path.findIndex(({ fingerprint }) => fingerprint === one.fingerprint));
  if (order.some((place, index) => place < (order[index - 1] ?? 0)))
    notes.push(
      'The server sends its certificates in the wrong order: each must be followed by that of its issuer (RFC 5246, 7.4.2).',
    );
  return notes;
};
