import { constants, verify, type KeyObject } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { contentOf, elementAt, elementsIn } from './der.ts';

interface Algorithm {
  /** the name in the RFCs */
  name: string;
  /** the hash for node:crypto; null if the key determines it */
  hash: string | null;
}

const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  '1.2.840.113549.1.1.2': { name: 'md2WithRSAEncryption', hash: 'md2' },
  '1.2.840.113549.1.1.4': { name: 'md5WithRSAEncryption', hash: 'md5' },
  '1.2.840.113549.1.1.5': { name: 'sha1WithRSAEncryption', hash: 'sha1' },
  '1.3.14.3.2.29': { name: 'sha1WithRSAEncryption', hash: 'sha1' },
  '1.2.840.113549.1.1.14': { name: 'sha224WithRSAEncryption', hash: 'sha224' },
  '1.2.840.113549.1.1.11': { name: 'sha256WithRSAEncryption', hash: 'sha256' },
  '1.2.840.113549.1.1.12': { name: 'sha384WithRSAEncryption', hash: 'sha384' },
  '1.2.840.113549.1.1.13': { name: 'sha512WithRSAEncryption', hash: 'sha512' },
  '1.2.840.10040.4.3': { name: 'id-dsa-with-sha1', hash: 'sha1' },
  '2.16.840.1.101.3.4.3.2': { name: 'id-dsa-with-sha256', hash: 'sha256' },
  '1.2.840.10045.4.1': { name: 'ecdsa-with-SHA1', hash: 'sha1' },
  '1.2.840.10045.4.3.1': { name: 'ecdsa-with-SHA224', hash: 'sha224' },
  '1.2.840.10045.4.3.2': { name: 'ecdsa-with-SHA256', hash: 'sha256' },
  '1.2.840.10045.4.3.3': { name: 'ecdsa-with-SHA384', hash: 'sha384' },
  '1.2.840.10045.4.3.4': { name: 'ecdsa-with-SHA512', hash: 'sha512' },
  '1.3.101.112': { name: 'Ed25519', hash: null },
  '1.3.101.113': { name: 'Ed448', hash: null },
};

const PSS = '1.2.840.113549.1.1.10';

/** Returns the name of an algorithm: `sha256WithRSAEncryption`, `RSASSA-PSS with SHA-256`; its OID if it is unknown. */
export const signatureAlgorithmOf = (algorithm: AlgorithmIdentifier): string => {
  if (algorithm.algorithm !== PSS) return ALGORITHMS[algorithm.algorithm]?.name ?? algorithm.algorithm;
  const hash = pssOf(algorithm)?.hash;
  return hash === undefined ? 'RSASSA-PSS' : `RSASSA-PSS with ${hash.toUpperCase().replace('SHA', 'SHA-')}`;
};

/** Returns whether clients reject a signature algorithm as too weak, which they do for MD2, MD5 and SHA-1. */
export const isWeakSignature = (name: string): boolean => /md2|md5|sha-?1(?!\d)/i.test(name);

/** Verifies a signature. Also returns false if the algorithm or the key is unknown. */
export const isSignedBy = (
  data: Uint8Array,
  { algorithm, signature, key }: { algorithm: AlgorithmIdentifier; signature: Uint8Array; key: KeyObject },
): boolean => {
  try {
    if (algorithm.algorithm === PSS) {
      const pss = pssOf(algorithm);
      if (!pss) return false;
      const { hash, saltLength } = pss;
      return verify(hash, data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }, signature);
    }
    const known = ALGORITHMS[algorithm.algorithm];
    return known !== undefined && verify(known.hash, data, key, signature);
  } catch {
    // The algorithm does not fit this kind of key.
    return false;
  }
};

const HASHES: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** Returns the name of a hash function for node:crypto; undefined if unknown. */
export const hashOf = (oid: string): string | undefined => HASHES[oid];

/**
 * Parses the parameters of an RSASSA-PSS signature (RFC 4055, 3.1); returns undefined if the hash is unknown. Ignores
 * the hash of the mask generation function, because in practice it equals the hash of the signature.
 */
const pssOf = ({ parameters }: AlgorithmIdentifier): { hash: string; saltLength: number } | undefined => {
  const found = { hash: 'sha1', saltLength: 20 };
  const bytes = Buffer.from(parameters ?? new ArrayBuffer(0));
  for (const field of elementsIn(bytes, elementAt(bytes, 0))) {
    const inner = contentOf(bytes, field);
    if (field.tag === 0xa0) {
      const hash = hashOf(AsnConvert.parse(inner, AlgorithmIdentifier).algorithm);
      if (hash === undefined) return undefined;
      found.hash = hash;
    }
    if (field.tag === 0xa2) found.saltLength = contentOf(inner, elementAt(inner, 0)).readUIntBE(0, inner.length - 2);
  }
  return found;
};
