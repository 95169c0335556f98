import { PROTOCOL_NAMES, type ProtocolName } from '../wire/protocols.ts';
import { isAnonymous, suitesOf, type RatedServer } from './server.ts';

/** The scores of the three categories, each from 0 to 100, before weighting. */
export interface CategoryScores {
  protocol: number;
  key_exchange: number;
  cipher_strength: number;
}

/** The weights of the categories in the SSL Server Rating Guide, in percent. */
const WEIGHTS: Readonly<Record<keyof CategoryScores, number>> = {
  protocol: 30,
  key_exchange: 30,
  cipher_strength: 40,
};

/** The guide's table "Protocol support rating guide". */
const PROTOCOL_SCORES: Readonly<Record<ProtocolName, number>> = {
  ssl_2_0: 0,
  ssl_3_0: 80,
  tls_1_0: 90,
  tls_1_1: 95,
  tls_1_2: 100,
  tls_1_3: 100,
};

/** Returns the weighted sum of the scores, from 0 to 100, rounded down; 0 if a category has the score 0. */
export const totalOf = (scores: CategoryScores): number => {
  const entries = Object.entries(WEIGHTS) as [keyof CategoryScores, number][];
  if (entries.some(([name]) => scores[name] === 0)) return 0;
  return Math.floor(entries.reduce((sum, [name, weight]) => sum + scores[name] * weight, 0) / 100);
};

export const categoryScores = (server: RatedServer): CategoryScores => ({
  protocol: betweenBestAndWorst(
    PROTOCOL_NAMES.filter((name) => server.protocols[name].supported).map((name) => PROTOCOL_SCORES[name]),
  ),
  key_exchange: keyExchangeScore(server),
  cipher_strength: betweenBestAndWorst(suitesOf(server).map(({ bits }) => cipherScore(bits))),
});

const betweenBestAndWorst = (scores: readonly number[]): number =>
  scores.length === 0 ? 0 : (Math.max(...scores) + Math.min(...scores)) / 2;

/** Applies the guide's table "Key exchange rating guide" to the weakest key. */
const keyExchangeScore = (server: RatedServer): number => {
  const suites = suitesOf(server);
  if (suites.some(isAnonymous)) return 0;
  // An unknown key has the lowest score.
  const strength = weakestKey(server)?.bits ?? 0;
  const score = strength < 512 ? 20 : strength < 1_024 ? 40 : strength < 2_048 ? 80 : strength < 4_096 ? 90 : 100;
  return suites.some((suite) => suite.export) ? Math.min(score, 40) : score;
};

/** Applies the guide's table "Cipher strength rating guide". @param bits strength of the cipher */
const cipherScore = (bits: number): number => (bits === 0 ? 0 : bits < 128 ? 20 : bits < 256 ? 80 : 100);

export interface RatedKey {
  /** the equivalent RSA key size, in bits */
  bits: number;
  /** a description for sentences: `the 1,024-bit RSA key of the certificate` */
  words: string;
}

/** Returns the weakest key or key exchange parameters of a server; null if none are known. */
export const weakestKey = ({ certificate, ephemeral }: RatedServer): RatedKey | null => {
  const keys: RatedKey[] = [];
  if (certificate && certificate.key_bits !== null) {
    const { key_type: type, key_bits: bits } = certificate;
    const words = `the ${bitsOf(bits)} ${type} key of the certificate`;
    keys.push({ bits: isElliptic(type) ? comparableRsa(bits) : bits, words });
  }
  if (ephemeral.dh !== null)
    keys.push({ bits: ephemeral.dh, words: `the ${bitsOf(ephemeral.dh)} Diffie-Hellman parameters` });
  if (ephemeral.ecdh) {
    const { group, bits } = ephemeral.ecdh;
    keys.push({ bits: comparableRsa(bits), words: `the curve ${group}` });
  }
  return keys.reduce<RatedKey | null>((weakest, key) => (weakest && weakest.bits <= key.bits ? weakest : key), null);
};

/** Formats a number of bits: `1,024-bit`. */
export const bitsOf = (bits: number): string => `${bits.toLocaleString('en-US')}-bit`;

const isElliptic = (type: string): boolean => /^(EC|ECDSA|Ed25519|Ed448)$/i.test(type);

/** Converts the size of a curve to that of an equally strong RSA key (NIST SP 800-57 part 1, table 2). */
const comparableRsa = (bits: number): number =>
  bits < 160 ? 512 : bits < 224 ? 1_024 : bits < 250 ? 2_048 : bits < 384 ? 3_072 : bits < 512 ? 7_680 : 15_360;
