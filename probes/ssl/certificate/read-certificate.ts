import { X509Certificate } from 'node:crypto';
import { AsnConvert, type OctetString } from '@peculiar/asn1-schema';
import {
  AuthorityInfoAccessSyntax,
  BasicConstraints,
  Certificate as Asn1Certificate,
  CertificatePolicies,
  CRLDistributionPoints,
  ExtendedKeyUsage,
  KeyUsage,
  KeyUsageFlags,
  NameConstraints,
  SubjectAlternativeName,
  type GeneralName,
  type Name,
} from '@peculiar/asn1-x509';
import { LRUCache } from 'lru-cache';
import { elementAt, NotDer, timeOf } from './der.ts';
import { keyOf, type PublicKeyFacts } from './public-key.ts';
import { signatureAlgorithmOf } from './signature-algorithms.ts';
import { isMustStaple, sctsIn } from './transparency.ts';

/** A parsed certificate, with the fields that are needed here. The terms are those of RFC 5280. */
export interface Certificate {
  der: Buffer;
  /** 1 without extensions, otherwise 3 */
  version: number;
  /** SHA-256 of the DER, hexadecimal, upper-case */
  fingerprint: string;
  /** OpenSSL's object, which verifies signatures and compares names */
  x509: X509Certificate;
  subject: Name;
  issuer: Name;
  /** the subject as DER, which OCSP hashes */
  subjectDer: Buffer;
  /** the public key without its algorithm, which OCSP hashes */
  keyBits: Buffer;
  /** hexadecimal, upper-case, without leading zeros */
  serial: string;
  /** in milliseconds since 1970 */
  notBefore: number;
  notAfter: number;
  signatureAlgorithm: string;
  key: PublicKeyFacts;
  /** whether the certificate is signed by its own key */
  selfSigned: boolean;
  names: readonly GeneralName[];
  /** whether the certificate has a subject alternative name extension */
  hasNames: boolean;
  isAuthority: boolean;
  /** maximum number of authorities between this certificate and the server's; null if unlimited */
  pathLength: number | null;
  /** null if unrestricted */
  keyUsage: { certificates: boolean; lists: boolean } | null;
  /** OIDs; null if unrestricted */
  purposes: readonly string[] | null;
  constraints: NameConstraints | null;
  /** OIDs */
  policies: readonly string[];
  mustStaple: boolean;
  scts: number;
  ocspUrls: readonly string[];
  crlUrls: readonly string[];
  issuerUrls: readonly string[];
  /** OIDs of unknown critical extensions, which make the certificate invalid (RFC 5280, 4.2) */
  unknownCritical: readonly string[];
}

/** A certificate is unreadable. */
export class UnreadableCertificate extends Error {
  constructor(options?: ErrorOptions) {
    super('The certificate cannot be read.', options);
    this.name = 'UnreadableCertificate';
  }
}

const OID = {
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  crlDistributionPoints: '2.5.29.31',
  policies: '2.5.29.32',
  policyMappings: '2.5.29.33',
  policyConstraints: '2.5.29.36',
  purposes: '2.5.29.37',
  inhibitAnyPolicy: '2.5.29.54',
  authorityInformation: '1.3.6.1.5.5.7.1.1',
  tlsFeature: '1.3.6.1.5.5.7.1.24',
  scts: '1.3.6.1.4.1.11129.2.4.2',
  ocsp: '1.3.6.1.5.5.7.48.1',
  issuers: '1.3.6.1.5.5.7.48.2',
} as const;

/** Extensions that may be critical. Policy extensions have no effect here, because no policy is required. */
const KNOWN: ReadonlySet<string> = new Set(Object.values(OID));

/**
 * Cache of parsed certificates, because most runs receive the same certificates of authorities, and parsing one takes a
 * millisecond. Large certificates are not cached: hostile servers could use them to fill the memory.
 */
const known = new LRUCache<string, Certificate>({ max: 64 });
const MAX_KEPT = 4_096;

/** @throws UnreadableCertificate */
export const readCertificate = (der: Uint8Array): Certificate => {
  const bytes = Buffer.from(der);
  const key = bytes.length <= MAX_KEPT ? bytes.toString('latin1') : null;
  const found = key === null ? undefined : known.get(key);
  if (found) return found;
  try {
    const certificate = reading(bytes);
    if (key !== null) known.set(key, certificate);
    return certificate;
  } catch (error) {
    throw new UnreadableCertificate({ cause: error });
  }
};

const reading = (der: Buffer): Certificate => {
  // Rejects trailing bytes, which OpenSSL would ignore.
  if (elementAt(der, 0).end !== der.length) throw new NotDer();
  const x509 = new X509Certificate(der);
  const { tbsCertificate: tbs, signatureAlgorithm } = AsnConvert.parse(der, Asn1Certificate);
  const extensions = new Map(listOf(tbs.extensions).map((extension) => [extension.extnID, extension]));
  const extension = <T>(oid: string, type: new () => T): T | null => {
    const found = extensions.get(oid);
    return found ? AsnConvert.parse(found.extnValue, type) : null;
  };
  const names = extension(OID.subjectAlternativeName, SubjectAlternativeName);
  const basic = extension(OID.basicConstraints, BasicConstraints);
  const usage = extension(OID.keyUsage, KeyUsage)?.toNumber();
  const purposes = extension(OID.purposes, ExtendedKeyUsage);
  const access = listOf(extension(OID.authorityInformation, AuthorityInfoAccessSyntax));
  const urlsOf = (method: string): string[] =>
    access.flatMap(({ accessMethod, accessLocation: { uniformResourceIdentifier: url } }) =>
      accessMethod === method && url !== undefined ? [url] : [],
    );
  return {
    der,
    version: tbs.version + 1,
    fingerprint: x509.fingerprint256.replaceAll(':', ''),
    x509,
    subject: tbs.subject,
    issuer: tbs.issuer,
    subjectDer: Buffer.from(AsnConvert.serialize(tbs.subject)),
    keyBits: Buffer.from(tbs.subjectPublicKeyInfo.subjectPublicKey),
    serial: x509.serialNumber.replace(/^0+(?=.)/, '').toUpperCase(),
    notBefore: timeOf(tbs.validity.notBefore.getTime()),
    notAfter: timeOf(tbs.validity.notAfter.getTime()),
    signatureAlgorithm: signatureAlgorithmOf(signatureAlgorithm),
    key: keyOf(x509, tbs.subjectPublicKeyInfo.algorithm.algorithm),
    selfSigned: isSelfSigned(x509),
    names: listOf(names),
    hasNames: names !== null,
    isAuthority: basic?.cA ?? false,
    pathLength: basic?.pathLenConstraint ?? null,
    keyUsage:
      usage === undefined
        ? null
        : { certificates: (usage & KeyUsageFlags.keyCertSign) !== 0, lists: (usage & KeyUsageFlags.cRLSign) !== 0 },
    purposes: purposes && listOf(purposes),
    constraints: extension(OID.nameConstraints, NameConstraints),
    policies: listOf(extension(OID.policies, CertificatePolicies)).map(({ policyIdentifier }) => policyIdentifier),
    mustStaple: isMustStaple(bytesOf(extensions.get(OID.tlsFeature)?.extnValue)),
    scts: sctsIn(bytesOf(extensions.get(OID.scts)?.extnValue)),
    ocspUrls: urlsOf(OID.ocsp),
    crlUrls: listOf(extension(OID.crlDistributionPoints, CRLDistributionPoints)).flatMap(
      ({ distributionPoint, reasons, cRLIssuer }) =>
        // Ignores lists that cover only some revocation reasons or are signed by another issuer: they are not
        // sufficient.
        reasons || cRLIssuer
          ? []
          : (distributionPoint?.fullName ?? []).flatMap(({ uniformResourceIdentifier: url }) => url ?? []),
    ),
    issuerUrls: urlsOf(OID.issuers),
    unknownCritical: [...extensions.values()]
      .filter(({ critical, extnID }) => critical && !KNOWN.has(extnID))
      .map(({ extnID }) => extnID),
  };
};

/** Returns the bytes of a serial number, without leading zeros. */
export const serialBytes = (serial: string): Buffer =>
  Buffer.from(serial.padStart(serial.length + (serial.length % 2), '0'), 'hex');

const listOf = <T>(list: Iterable<T> | null | undefined): T[] => (list ? [...list] : []);

const bytesOf = (value: OctetString | undefined): Buffer | null => (value ? Buffer.from(value.buffer) : null);

const isSelfSigned = (x509: X509Certificate): boolean => {
  try {
    return x509.subject === x509.issuer && x509.verify(x509.publicKey);
  } catch {
    // OpenSSL does not support this kind of key.
    return false;
  }
};
