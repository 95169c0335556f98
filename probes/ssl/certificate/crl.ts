import { AsnConvert } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  CRLReason,
  Extensions,
  IssuingDistributionPoint,
  Name,
  RevokedCertificate,
} from '@peculiar/asn1-x509';
import { contentOf, elementAt, elementsIn, NotDer, TAG, timeIn, timeOf, wholeOf, type Element } from './der.ts';
import { isSameName } from './distinguished-name.ts';
import { serialBytes, type Certificate } from './read-certificate.ts';
import { reasonOf, whyNotCurrent, type RevocationReading } from './revocation-status.ts';
import { isSignedBy } from './signature-algorithms.ts';

const EXTENSIONS = 0xa0;
const OID = { reason: '2.5.29.21', deltaIndicator: '2.5.29.27', distributionPoint: '2.5.29.28' };
/** Maximum number of fields of the list itself, not counting its entries (RFC 5280, 5.1). */
const MAX_FIELDS = 7;
const PEM = /-----BEGIN X509 CRL-----([^-]+)-----END X509 CRL-----/;

/** A revocation list whose entries are not parsed yet. */
interface List {
  signed: Buffer;
  algorithm: AlgorithmIdentifier;
  signature: Buffer;
  issuer: Name;
  thisUpdate: number;
  nextUpdate: number | null;
  /** null if no certificate is revoked */
  entries: Element | null;
  extensions: Extensions;
}

/**
 * Looks up a certificate in a revocation list (RFC 5280, 5). The list must be current, be signed by the issuer of the
 * certificate, and cover certificates of this kind.
 *
 * @param bytes the list as DER, or as PEM, which some private authorities publish
 * @param now milliseconds since 1970
 */
export const readRevocationList = (
  bytes: Buffer,
  certificate: Certificate,
  { issuer, now }: { issuer: Certificate; now: number },
): RevocationReading => {
  try {
    const pem = PEM.exec(bytes.subarray(0, 100).includes('-----BEGIN') ? bytes.toString('latin1') : '');
    return reading(pem ? Buffer.from(pem[1] ?? '', 'base64') : bytes, certificate, issuer, now);
  } catch {
    return { answer: null, why: 'cannot be read' };
  }
};

const reading = (der: Buffer, certificate: Certificate, issuer: Certificate, now: number): RevocationReading => {
  const list = readList(der);
  const no = (why: string): RevocationReading => ({ answer: null, why });
  if (!isSameName(list.issuer, issuer.subject)) return no('is the list of another issuer');
  const key = issuer.x509.publicKey;
  if (issuer.keyUsage?.lists === false || !isSignedBy(list.signed, { ...list, key }))
    return no('is not signed by the issuer of the certificate');
  const { thisUpdate, nextUpdate } = list;
  const why = whyNotCurrent({ thisUpdate, nextUpdate }, now) ?? whyNotCovering(list.extensions, certificate);
  if (why !== null) return no(why);
  const entry = list.entries && entryOf(der, list.entries, certificate.serial);
  const times = { producedAt: null, thisUpdate, nextUpdate };
  if (!entry) return { answer: { status: 'good', ...times, revokedAt: null, reason: null } };
  const reason = entry.crlEntryExtensions?.find(({ extnID }) => extnID === OID.reason);
  return {
    answer: {
      status: 'revoked',
      ...times,
      revokedAt: timeOf(entry.revocationDate.getTime()),
      reason: reason ? reasonOf(AsnConvert.parse(reason.extnValue, CRLReason).reason) : null,
    },
  };
};

const readList = (der: Buffer): List => {
  const [tbs, algorithm, signature] = elementsIn(der, elementAt(der, 0));
  if (!tbs || !algorithm || signature?.tag !== TAG.bits) throw new NotDer();
  const fields: Element[] = [];
  for (const field of elementsIn(der, tbs)) {
    fields.push(field);
    // This check must come before the check of the signature, because a forged list may contain millions of fields.
    if (fields.length > MAX_FIELDS) throw new NotDer();
  }
  if (fields[0]?.tag === TAG.integer) fields.shift();
  const [, issuer, thisUpdate, ...rest] = fields;
  if (!issuer || !thisUpdate) throw new NotDer();
  const [next] = rest;
  const nextUpdate = next && (next.tag === TAG.utcTime || next.tag === TAG.time) ? next : null;
  const extensions = rest.find(({ tag }) => tag === EXTENSIONS);
  return {
    signed: wholeOf(der, tbs),
    algorithm: AsnConvert.parse(wholeOf(der, algorithm), AlgorithmIdentifier),
    signature: contentOf(der, signature).subarray(1),
    issuer: AsnConvert.parse(wholeOf(der, issuer), Name),
    thisUpdate: timeIn(der, thisUpdate),
    nextUpdate: nextUpdate && timeIn(der, nextUpdate),
    entries: rest.find(({ tag }) => tag === TAG.sequence) ?? null,
    extensions: extensions ? AsnConvert.parse(contentOf(der, extensions), Extensions) : new Extensions(),
  };
};

/**
 * Returns the reason why a list does not cover a certificate; null if the list covers the certificate (RFC 5280,
 * 6.3.3).
 */
const whyNotCovering = (extensions: Extensions, { crlUrls, isAuthority }: Certificate): string | null => {
  for (const { extnID, critical, extnValue } of extensions) {
    if (extnID === OID.deltaIndicator) return 'lists only changes';
    if (extnID !== OID.distributionPoint) {
      if (critical) return 'has an unknown critical extension';
      continue;
    }
    const point = AsnConvert.parse(extnValue, IssuingDistributionPoint);
    if (point.indirectCRL || point.onlySomeReasons || point.onlyContainsAttributeCerts)
      return 'covers only some revocations';
    if (isAuthority ? point.onlyContainsUserCerts : point.onlyContainsCACerts) return 'covers other certificates';
    if (!point.distributionPoint) continue;
    // Without this check, a man in the middle could send a part of the issuer's list that does not cover this
    // certificate.
    const names = point.distributionPoint.fullName ?? [];
    if (!names.some(({ uniformResourceIdentifier: url }) => crlUrls.includes(url ?? '')))
      return 'covers other certificates';
  }
  return null;
};

/** Returns the entry of a serial number; null if there is none. */
const entryOf = (der: Buffer, entries: Element, serial: string): RevokedCertificate | null => {
  const wanted = serialBytes(serial);
  for (const entry of elementsIn(der, entries)) {
    const number = elementAt(der, entry.content, entry.end);
    let at = number.content;
    while (at < number.end - 1 && der[at] === 0) at++;
    if (number.end - at === wanted.length && der.compare(wanted, 0, wanted.length, at, number.end) === 0)
      return AsnConvert.parse(wholeOf(der, entry), RevokedCertificate);
  }
  return null;
};
