import type { KeyObject, X509Certificate } from 'node:crypto';

export interface PublicKeyFacts {
  /** `RSA`, `EC`, `Ed25519`; the OID of the algorithm if it is unknown */
  type: string;
  /** in bits; null if unknown */
  size: number | null;
  /** curve of an EC key: `P-256` */
  curve: string | null;
}

const TYPES: Readonly<Record<string, { type: string; size?: number }>> = {
  rsa: { type: 'RSA' },
  'rsa-pss': { type: 'RSA-PSS' },
  dsa: { type: 'DSA' },
  ed25519: { type: 'Ed25519', size: 256 },
  ed448: { type: 'Ed448', size: 456 },
};

/** The usual name and the size (in bits) of each curve, by OpenSSL's name. */
const CURVES: Readonly<Record<string, [string, number]>> = {
  prime192v1: ['P-192', 192],
  secp224r1: ['P-224', 224],
  prime256v1: ['P-256', 256],
  secp256k1: ['secp256k1', 256],
  secp384r1: ['P-384', 384],
  secp521r1: ['P-521', 521],
  brainpoolP256r1: ['brainpoolP256r1', 256],
  brainpoolP384r1: ['brainpoolP384r1', 384],
  brainpoolP512r1: ['brainpoolP512r1', 512],
};

/** @param oid of the key's algorithm */
export const keyOf = (x509: X509Certificate, oid: string): PublicKeyFacts => {
  let key: KeyObject;
  try {
    key = x509.publicKey;
  } catch {
    // OpenSSL does not support this kind of key.
    return { type: oid, size: null, curve: null };
  }
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'ec') {
    const [curve, size] = CURVES[namedCurve ?? ''] ?? [namedCurve ?? null, null];
    return { type: 'EC', size, curve };
  }
  const known = TYPES[key.asymmetricKeyType ?? ''];
  return { type: known?.type ?? oid, size: modulusLength ?? known?.size ?? null, curve: null };
};
