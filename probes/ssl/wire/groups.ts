/** A group for (EC)DH key exchange. */
export interface Group {
  id: number;
  name: string;
  /** size of the curve or of the finite field; a curve is as strong as a much larger field (NIST SP 800-57) */
  bits: number;
}

/** IANA "TLS Supported Groups": curves first, then finite fields (RFC 7919), then hybrids with ML-KEM. */
const GROUPS: readonly (readonly [id: number, name: string, bits: number])[] = [
  [1, 'sect163k1', 163],
  [2, 'sect163r1', 163],
  [3, 'sect163r2', 163],
  [4, 'sect193r1', 193],
  [5, 'sect193r2', 193],
  [6, 'sect233k1', 233],
  [7, 'sect233r1', 233],
  [8, 'sect239k1', 239],
  [9, 'sect283k1', 283],
  [10, 'sect283r1', 283],
  [11, 'sect409k1', 409],
  [12, 'sect409r1', 409],
  [13, 'sect571k1', 571],
  [14, 'sect571r1', 571],
  [15, 'secp160k1', 160],
  [16, 'secp160r1', 160],
  [17, 'secp160r2', 160],
  [18, 'secp192k1', 192],
  [19, 'secp192r1', 192],
  [20, 'secp224k1', 224],
  [21, 'secp224r1', 224],
  [22, 'secp256k1', 256],
  [23, 'secp256r1', 256],
  [24, 'secp384r1', 384],
  [25, 'secp521r1', 521],
  [26, 'brainpoolP256r1', 256],
  [27, 'brainpoolP384r1', 384],
  [28, 'brainpoolP512r1', 512],
  [29, 'x25519', 253],
  [30, 'x448', 448],
  [31, 'brainpoolP256r1tls13', 256],
  [32, 'brainpoolP384r1tls13', 384],
  [33, 'brainpoolP512r1tls13', 512],
  [34, 'GC256A', 256],
  [35, 'GC256B', 256],
  [36, 'GC256C', 256],
  [37, 'GC256D', 256],
  [38, 'GC512A', 512],
  [39, 'GC512B', 512],
  [40, 'GC512C', 512],
  [41, 'curveSM2', 256],
  [256, 'ffdhe2048', 2048],
  [257, 'ffdhe3072', 3072],
  [258, 'ffdhe4096', 4096],
  [259, 'ffdhe6144', 6144],
  [260, 'ffdhe8192', 8192],
  [4587, 'SecP256r1MLKEM768', 256],
  [4588, 'X25519MLKEM768', 253],
  [4589, 'SecP384r1MLKEM1024', 384],
];

const BY_ID: ReadonlyMap<number, Group> = new Map(GROUPS.map(([id, name, bits]) => [id, { id, name, bits }]));

/** Returns a group by its number. An unregistered group has 0 bits. */
export const group = (id: number): Group => BY_ID.get(id) ?? { id, name: id.toString(), bits: 0 };

/**
 * The groups in the usual order of clients. A server that follows the client's order chooses the first group that it
 * supports.
 */
export const USUAL_GROUPS: readonly number[] = [
  ...[29, 23, 24, 25, 30, 22, 26, 27, 28, 21, 20, 19, 18, 15, 16, 17],
  ...[14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
];

/** The groups that are offered with TLS 1.3. */
export const GROUPS_OF_TLS_1_3: readonly number[] = [
  ...[29, 23, 24, 25, 30, 256, 257, 258, 259, 260, 31, 32, 33, 4588, 4587, 4589, 41],
  ...[34, 35, 36, 37, 38, 39, 40],
];
