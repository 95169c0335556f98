import { createHash } from 'node:crypto';

/** Origins of primes of at most 1,024 bits that are part of software, by the start of the prime's SHA-256 digest. */
const OWNERS: ReadonlyMap<string, string> = new Map([
  ['b52ba6a3026520a6c49d37e458760180', 'Oakley group 1 (RFC 2409)'],
  ['3f35a3f5f6c4376a744acad409bb22f8', 'Oakley group 2 (RFC 2409)'],
  ['44c55cfee5c075927cf682da5b681bde', 'group 22 of RFC 5114'],
  ['3cdb020b9ef298b2f3f6cf5a872af527', 'Apache 2.0'],
  ['db01e702899166da28c9bc7896af62bc', 'Apache 2.2'],
  ['f79d1db3c955a28fdeca462670a0712e', 'Apache 2.2'],
  ['bf910d9df4e0b2e76cda7443f592aa11', 'Apache 2.2'],
  ['8ae47dca3d24e9b64640062686da234d', 'nginx before 1.11'],
  ['73b391ec8da33ee197aed17d7cfce132', 'Java'],
  ['ee5483fe4b96caa10cb5b863ec409aab', 'Java'],
  ['cc21a33dd1a3edf40bf636b5496e4aed', 'Java'],
  ['f26e2403f3f07946654404909f0ff81d', "OpenSSL's examples"],
  ['66d0bf38b0bdfacf2fdae33f35102ab6', "OpenSSL's examples"],
  ['ef627d8cc44144f36a075d8dd8511bbd', 'Postfix'],
  ['bfa876fe4671a9c696c8e256c13d7fad', 'IronPort'],
]);

/**
 * Returns the origin of a prime; null if the prime is not known to be shared by many servers.
 *
 * @param prime in network order, without leading zeros
 */
export const ownerOf = (prime: Buffer): string | null =>
  OWNERS.get(createHash('sha256').update(prime).digest('hex').slice(0, 32)) ?? null;
