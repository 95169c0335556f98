import { constants, publicEncrypt, randomBytes, X509Certificate, type KeyObject } from 'node:crypto';

/** Length of a premaster secret, in bytes (RFC 5246, 7.4.7.1). */
const PREMASTER = 48;

/** Creates a premaster secret that is padded to a length, well-formed (RFC 8017, 7.2.1) or malformed. */
export type PremasterSecretForm = (length: number, version: number) => Buffer;

const nonZero = (length: number): Buffer => randomBytes(length).map((byte) => byte || 1) as Buffer;

const padded = (length: number, start: readonly number[], end: Buffer): Buffer =>
  Buffer.concat([Buffer.from(start), nonZero(length - start.length - end.length), end]);

const secret = (version: number): Buffer =>
  Buffer.concat([Buffer.from([version >> 8, version & 255]), nonZero(PREMASTER - 2)]);

const ZERO = Buffer.from([0]);

/** The forms that the ROBOT test sends, in the order of the ROBOT paper. */
export const PREMASTER_SECRET_FORMS: readonly [PremasterSecretForm, ...PremasterSecretForm[]] = [
  // well-formed
  (length, version) => padded(length, [0, 2], Buffer.concat([ZERO, secret(version)])),
  // wrong first bytes
  (length, version) => padded(length, [0, 0x17], Buffer.concat([ZERO, secret(version)])),
  // zero between padding and secret at the wrong position
  (length) => padded(length, [0, 2], Buffer.concat([nonZero(PREMASTER - 1), ZERO, nonZero(1)])),
  // no zero between padding and secret
  (length) => padded(length, [0, 2], Buffer.alloc(0)),
  // wrong version in the secret
  (length) => padded(length, [0, 2], Buffer.concat([ZERO, secret(0x0202)])),
];

/**
 * Encrypts a secret with the key of the server's certificate (DER). Returns null if the certificate has no RSA key, or
 * a key that is too short for the secret.
 *
 * @param version protocol version as sent on the wire
 */
export const encryptedFor = (
  certificate: Buffer | undefined,
  form: PremasterSecretForm,
  version: number,
): Buffer | null => {
  const key = keyOf(certificate);
  if (!key) return null;
  const length = Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
  if (length < PREMASTER + 11) return null;
  try {
    return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, form(length, version));
  } catch {
    // OpenSSL rejects the key, for example for an even modulus.
    return null;
  }
};

/** Returns the RSA key of a certificate (DER); null if the key is of another kind, or the certificate is unreadable. */
const keyOf = (certificate: Buffer | undefined): KeyObject | null => {
  if (!certificate) return null;
  try {
    const { publicKey } = new X509Certificate(certificate);
    return publicKey.asymmetricKeyType === 'rsa' ? publicKey : null;
  } catch {
    return null;
  }
};
