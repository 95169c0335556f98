import { createHash } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  BasicOCSPResponse,
  CertID,
  OCSPRequest,
  OCSPResponse,
  OCSPResponseStatus,
  Request,
  TBSRequest,
  type ResponderID,
  type SingleResponse,
} from '@peculiar/asn1-ocsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { elementAt, elementsIn, timeOf, wholeOf } from './der.ts';
import { isSameName } from './distinguished-name.ts';
import { readCertificate, serialBytes, type Certificate } from './read-certificate.ts';
import { reasonOf, whyNotCurrent, type RevocationReading } from './revocation-status.ts';
import { hashOf, isSignedBy } from './signature-algorithms.ts';

const SHA_1 = '1.3.14.3.2.26';
const BASIC = '1.3.6.1.5.5.7.48.1.1';
const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';
/** Maximum number of certificates of responders that are read from a response. */
const MAX_RESPONDERS = 8;

const arrayBuffer = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer;

const hash = (name: string, bytes: Buffer): Buffer => createHash(name).update(bytes).digest();

/**
 * Creates a request for one certificate (RFC 6960, 4.1). Uses SHA-1, which all responders support (RFC 9654, 4.1.1).
 */
export const ocspRequest = (certificate: Certificate, issuer: Certificate): Buffer => {
  const serial = serialBytes(certificate.serial);
  const id = new CertID({
    hashAlgorithm: new AlgorithmIdentifier({ algorithm: SHA_1, parameters: null }),
    issuerNameHash: new OctetString(hash('sha1', issuer.subjectDer)),
    issuerKeyHash: new OctetString(hash('sha1', issuer.keyBits)),
    serialNumber: arrayBuffer((serial[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), serial]) : serial),
  });
  const tbsRequest = new TBSRequest({ requestList: [new Request({ reqCert: id })] });
  return Buffer.from(AsnConvert.serialize(new OCSPRequest({ tbsRequest })));
};

/**
 * Reads an OCSP response (RFC 6960) about a certificate. The response must be current, and be signed by the issuer or
 * by a responder that the issuer has certified for this purpose.
 *
 * @param now milliseconds since 1970
 */
export const readOcspResponse = (
  der: Uint8Array,
  certificate: Certificate,
  { issuer, now }: { issuer: Certificate; now: number },
): RevocationReading => {
  try {
    return reading(Buffer.from(der), certificate, issuer, now);
  } catch {
    return { answer: null, why: 'cannot be read' };
  }
};

const reading = (der: Buffer, certificate: Certificate, issuer: Certificate, now: number): RevocationReading => {
  const no = (why: string): RevocationReading => ({ answer: null, why });
  const { responseStatus, responseBytes } = AsnConvert.parse(der, OCSPResponse);
  if (responseStatus !== OCSPResponseStatus.successful)
    return no(`reports the error "${OCSPResponseStatus[responseStatus]}"`);
  if (responseBytes?.responseType !== BASIC) return no('is of an unknown kind');
  const bytes = Buffer.from(responseBytes.response.buffer);
  const basic = AsnConvert.parse(bytes, BasicOCSPResponse);
  const single = basic.tbsResponseData.responses.find(({ certID }) => isAbout(certID, certificate, issuer));
  if (!single) return no('is about another certificate');
  const signer = signersOf(bytes, issuer, now).find(
    (one) => isNamed(one, basic.tbsResponseData.responderID) && isSigned(bytes, basic, one),
  );
  if (!signer) return no('is not signed by the issuer of the certificate');
  const answer = statusOf(single, basic.tbsResponseData.producedAt);
  const why = whyNotCurrent(answer, now);
  return why === null ? { answer } : no(why);
};

const isAbout = (id: CertID, certificate: Certificate, issuer: Certificate): boolean => {
  const algorithm = hashOf(id.hashAlgorithm.algorithm);
  return (
    algorithm !== undefined &&
    Buffer.from(id.serialNumber)
      .toString('hex')
      .toUpperCase()
      .replace(/^0+(?=.)/, '') === certificate.serial &&
    hash(algorithm, issuer.subjectDer).equals(Buffer.from(id.issuerNameHash.buffer)) &&
    hash(algorithm, issuer.keyBits).equals(Buffer.from(id.issuerKeyHash.buffer))
  );
};

/** Returns the possible signers: the issuer, and responders whose certificates in the response are valid. */
const signersOf = (bytes: Buffer, issuer: Certificate, now: number): Certificate[] => {
  const signers = [issuer];
  const [, , , certificates] = elementsIn(bytes, elementAt(bytes, 0));
  if (!certificates) return signers;
  let looks = 0;
  for (const element of elementsIn(bytes, elementAt(bytes, certificates.content, certificates.end))) {
    if (looks++ === MAX_RESPONDERS) break;
    const one = readCertificate(wholeOf(bytes, element));
    const isDelegated =
      one.purposes?.includes(OCSP_SIGNING) === true &&
      one.notBefore <= now &&
      now <= one.notAfter &&
      one.x509.checkIssued(issuer.x509) &&
      one.x509.verify(issuer.x509.publicKey);
    if (isDelegated) signers.push(one);
  }
  return signers;
};

const isNamed = ({ subject, keyBits }: Certificate, { byName, byKey }: ResponderID): boolean =>
  byName ? isSameName(subject, byName) : byKey !== undefined && hash('sha1', keyBits).equals(Buffer.from(byKey.buffer));

const isSigned = (
  bytes: Buffer,
  { signatureAlgorithm, signature }: BasicOCSPResponse,
  { x509 }: Certificate,
): boolean => {
  const [signed] = elementsIn(bytes, elementAt(bytes, 0));
  const by = { algorithm: signatureAlgorithm, signature: Buffer.from(signature), key: x509.publicKey };
  return signed !== undefined && isSignedBy(wholeOf(bytes, signed), by);
};

const statusOf = (
  { certStatus, thisUpdate, nextUpdate }: SingleResponse,
  producedAt: Date,
): NonNullable<RevocationReading['answer']> => {
  const times = {
    producedAt: timeOf(producedAt),
    thisUpdate: timeOf(thisUpdate),
    nextUpdate: nextUpdate ? timeOf(nextUpdate) : null,
  };
  const { revoked } = certStatus;
  if (revoked)
    return {
      status: 'revoked',
      ...times,
      revokedAt: timeOf(revoked.revocationTime),
      reason: reasonOf(revoked.revocationReason?.reason),
    };
  const status = certStatus.good === undefined ? 'unknown' : 'good';
  return { status, ...times, revokedAt: null, reason: null };
};
