import type { FindingName, VulnerabilityName } from '../vulnerabilities/finding.ts';
import { PROTOCOL_NAMES, titleOf, type ProtocolName } from '../wire/protocols.ts';
import type { Suite } from '../wire/suites.ts';
import {
  CRITICAL,
  isAead,
  isAnonymous,
  SMALL_BLOCKS,
  suitesOf,
  type RatedCertificate,
  type RatedServer,
} from './server.ts';
import { weakestKey } from './category-scores.ts';
import type { Grade } from './grades.ts';

/** The best grade that a finding permits, and a sentence that says what to change. */
export interface Cap {
  grade: Grade;
  sentence: string;
}

/**
 * A rule of the SSL Server Rating Guide. Comments such as `2009e` name the version of the guide that introduced the rule
 * below. Returns null if the rule does not apply.
 */
type Rule = (server: RatedServer) => Cap | null;

/** Creates a rule that caps the grade if `sentenceOf` returns a sentence. */
const rule =
  (grade: Grade, sentenceOf: (server: RatedServer) => string | null): Rule =>
  (server) => {
    const sentence = sentenceOf(server);
    return sentence === null ? null : { grade, sentence };
  };

const MODERN: readonly ProtocolName[] = ['tls_1_1', 'tls_1_2', 'tls_1_3'];

/**
 * Lists up to three names of suites for which `test` is true, and the number of the others: `A, B, C and 2 more`.
 * Returns null if there are none.
 *
 * @param among the protocols whose suites are tested
 */
const named = (
  { protocols }: RatedServer,
  test: (suite: Suite) => boolean,
  among: readonly ProtocolName[] = PROTOCOL_NAMES,
): string | null => {
  const names = [
    ...new Set(among.flatMap((name) => protocols[name].suites.filter(test)).map((suite) => shortName(suite.name))),
  ];
  if (names.length === 0) return null;
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
};

const shortName = (name: string): string => name.replace(/^(TLS|SSL_CK|SSL)_/, '');

const bestProtocol = ({ protocols }: RatedServer): ProtocolName | undefined =>
  PROTOCOL_NAMES.findLast((name) => protocols[name].supported);

/** Returns whether the newest protocol of a server is TLS. Servers that support only SSL have rules of their own. */
const isTls = (server: RatedServer): boolean => bestProtocol(server)?.startsWith('tls') === true;

const isCurrent = ({ protocols }: RatedServer): boolean => protocols.tls_1_2.supported || protocols.tls_1_3.supported;

/**
 * Returns whether a current client would get a suite for which `test` is true. Tests the server's first choice if the
 * server has a preference; otherwise tests all suites. With TLS 1.3, the result is always true, because all suites of
 * TLS 1.3 are good.
 */
const clientsGet = (server: RatedServer, test: (suite: Suite) => boolean): boolean => {
  const best = bestProtocol(server);
  if (!best || best === 'tls_1_3') return true;
  const { suites, server_preference } = server.protocols[best];
  return suites.slice(0, server_preference === true ? 1 : suites.length).some(test);
};

const isRc4 = ({ cipher }: Suite): boolean => cipher === 'RC4';

/**
 * Returns whether keys of a cipher can be found by brute force. Excludes export and NULL suites, which have rules of
 * their own.
 */
const isShort = (suite: Suite): boolean =>
  suite.bits < 112 && suite.cipher !== 'NULL' && suite.cipher !== 'unknown' && !suite.export;

const vulnerable = (server: RatedServer, name: VulnerabilityName, finding?: FindingName): string | null => {
  const test = server.vulnerabilities[name];
  if (!test?.tested || !test.vulnerable || (finding !== undefined && test.finding !== finding)) return null;
  return test.details;
};

/** Creates a rule about the certificate. The rule does not apply if the server sent no readable certificate. */
const certificateRule = (grade: Grade, sentence: string, broken: (certificate: RatedCertificate) => boolean): Rule =>
  rule(grade, ({ certificate }) => (certificate && broken(certificate) ? sentence : null));

const signedWith =
  (hashes: RegExp) =>
  ({ signature_algorithms }: RatedCertificate): boolean =>
    signature_algorithms.some((algorithm) => hashes.test(algorithm));

const CERTIFICATE: readonly Rule[] = [
  rule('T', ({ certificate }) =>
    certificate ? null : 'The server shows no certificate that can be read: install one from a public authority.',
  ),
  certificateRule('T', 'The certificate is out of date: renew it.', ({ in_time }) => !in_time),
  certificateRule(
    'T',
    'The certificate is not trusted: install one from a public authority with its whole chain.',
    ({ trusted }) => !trusted,
  ),
  certificateRule(
    'T',
    'The certificate has been revoked: install a new one with a new key.',
    ({ revoked }) => revoked === true,
  ),
  // 2009o: browsers have rejected SHA-1 since 2017, even below trusted roots.
  certificateRule(
    'T',
    'The certificate or its chain is signed with SHA-1, which browsers do not trust: get one signed with SHA-256.',
    signedWith(/sha-?1(?!\d)/i),
  ),
  certificateRule(
    'M',
    'The certificate is not for this host: get one for its name.',
    ({ matches_host }) => !matches_host,
  ),
  // 2009e
  certificateRule(
    'F',
    'The certificate or its chain is signed with MD5 or MD2, which can be forged: get one signed with SHA-256.',
    signedWith(/md[25]/i),
  ),
  // 2009i
  certificateRule(
    'B',
    'The server does not send the whole chain of its certificate: add the intermediate certificates.',
    ({ chain_complete }) => !chain_complete,
  ),
];

const PROTOCOL: readonly Rule[] = [
  // 2009c
  rule('F', ({ protocols }) =>
    protocols.ssl_2_0.supported ? 'SSL 2.0 is accepted, but gives no protection: switch it off.' : null,
  ),
  // 2009i
  rule('F', (server) =>
    bestProtocol(server) === 'ssl_3_0' ? 'SSL 3.0 is the newest protocol: switch on TLS 1.2 and 1.3 instead.' : null,
  ),
  // 2009h: POODLE attacks CBC suites of SSL 3.0. Since version 2009i, SSL 3.0 prevents an A even without CBC suites.
  rule('C', (server) => vulnerable(server, 'poodle_ssl')),
  rule('B', (server) =>
    server.protocols.ssl_3_0.supported && isTls(server) && vulnerable(server, 'poodle_ssl') === null
      ? 'SSL 3.0 is accepted, but is broken: switch it off.'
      : null,
  ),
  // 2009j
  rule('C', (server) =>
    isTls(server) && !isCurrent(server) ? 'TLS 1.2 and TLS 1.3 are not supported: switch them on.' : null,
  ),
  // 2009q
  rule('B', ({ protocols }) => {
    const old = (['tls_1_0', 'tls_1_1'] as const).filter((name) => protocols[name].supported);
    const names = old.map((name) => titleOf(name)).join(' and ');
    return names === ''
      ? null
      : `${names} ${old.length > 1 ? 'are' : 'is'} accepted: switch off everything older than TLS 1.2.`;
  }),
  // 2009r
  rule('A-', (server) => (bestProtocol(server) === 'tls_1_2' ? 'TLS 1.3 is not supported: switch it on.' : null)),
];

const KEY_EXCHANGE: readonly Rule[] = [
  // 2009e for keys, 2009j (Logjam) for Diffie-Hellman parameters
  (server) => {
    const key = weakestKey(server);
    if (!key || key.bits >= 2_048) return null;
    const { bits, words } = key;
    return bits < 1_024
      ? { grade: 'F', sentence: `Keys can be broken: ${words} should have at least 2,048 bits.` }
      : { grade: 'B', sentence: `Keys are weak: ${words} should have at least 2,048 bits.` };
  },
  // 2009p
  rule('B', (server) =>
    clientsGet(server, ({ forwardSecrecy }) => forwardSecrecy)
      ? null
      : 'Clients get no forward secrecy: offer ECDHE suites before all others.',
  ),
];

const CIPHERS: readonly Rule[] = [
  rule('F', (server) => {
    const names = named(server, isAnonymous);
    return names && `Anonymous suites authenticate nobody (${names}): switch them off.`;
  }),
  rule('F', (server) => {
    const names = named(server, ({ cipher }) => cipher === 'NULL');
    return names && `NULL suites encrypt nothing (${names}): switch them off.`;
  }),
  // 2009j
  rule('F', (server) => {
    const names = named(server, (suite) => suite.export);
    return names && `Export suites can be broken in hours (${names}): switch them off.`;
  }),
  // 2009o
  rule('F', (server) => {
    const names = named(server, isShort);
    return names && `Suites with fewer than 112 bits can be broken (${names}): switch them off.`;
  }),
  // 2009k
  rule('F', (server) => {
    const suites = suitesOf(server);
    return suites.length > 0 && suites.every(isRc4)
      ? 'Only RC4 suites are accepted: switch on AES suites instead.'
      : null;
  }),
  // 2009j
  rule('C', (server) => {
    const names = named(server, isRc4, MODERN);
    return names && `RC4 is accepted with TLS 1.1 or newer (${names}): switch it off.`;
  }),
  // 2009i
  rule('B', (server) => {
    const names = named(server, isRc4);
    return names && named(server, isRc4, MODERN) === null && !suitesOf(server).every(isRc4)
      ? `RC4 is accepted with old protocols (${names}): switch it off.`
      : null;
  }),
  // 2009o (Sweet32)
  rule('C', (server) => {
    const names = named(server, (suite) => SMALL_BLOCKS.has(suite.cipher) && !isShort(suite) && !suite.export, MODERN);
    return names && `Ciphers with 64-bit blocks are accepted with TLS 1.1 or newer (${names}): switch them off.`;
  }),
  // 2009p
  rule('B', (server) =>
    clientsGet(server, isAead)
      ? null
      : 'Clients get no authenticated encryption: offer suites with GCM or ChaCha20-Poly1305 before all others.',
  ),
];

const VULNERABILITIES: readonly Rule[] = [
  // 2009f, 2009g, 2009p
  ...[...CRITICAL].map((name) => rule('F', (server) => vulnerable(server, name))),
  // 2009l
  rule('F', (server) => vulnerable(server, 'drown')),
  // 2009c
  rule('F', (server) => vulnerable(server, 'session_renegotiation', 'insecure')),
  // 2009e: A- is for a good server with a minor problem.
  rule('A-', (server) => vulnerable(server, 'session_renegotiation', 'unsupported')),
  // 2009j
  rule('C', (server) => vulnerable(server, 'crime')),
];

/**
 * The rules of the SSL Server Rating Guide up to version 2009r. A comment above each rule names the version that
 * introduced it.
 *
 * Some rules of the guide consider what a list of browsers would negotiate. Here, they consider what the server accepts
 * or, for forward secrecy and authenticated encryption, what a current client gets. Rules about facts that a scan can't
 * determine are omitted: keys of Debian's broken random generator, and padding oracles in implementations
 * (CVE-2016-2107, POODLE with TLS and similar).
 */
const RULES: readonly Rule[] = [...CERTIFICATE, ...VULNERABILITIES, ...PROTOCOL, ...KEY_EXCHANGE, ...CIPHERS];

/** Returns all caps on the grade of a server, in the order of the rules. */
export const capsOf = (server: RatedServer): Cap[] => RULES.flatMap((apply) => apply(server) ?? []);
