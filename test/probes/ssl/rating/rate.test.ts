import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CRITICAL } from '../../../../probes/ssl/rating/server.ts';
import { rate } from '../../../../probes/ssl/rating/rate.ts';
import { scanned, TLS_1_2, TLS_1_3, type Configuration } from './scanned.ts';

const rating = suite('the rating of a server by the SSL Server Rating Guide, 2009r');

type Offered = NonNullable<Configuration['protocols']>;

const CBC = 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA';
const modern = { tls_1_2: TLS_1_2, tls_1_3: TLS_1_3 };
/** Returns the modern configuration with additional suites for TLS 1.2. */
const also = (suites: string): Offered => ({ ...modern, tls_1_2: `${TLS_1_2} ${suites}` });
/** Returns a configuration with the same suites for every protocol except SSL 2.0. */
const everywhere = (suites: string): Offered => ({
  ssl_3_0: suites,
  tls_1_0: suites,
  tls_1_1: suites,
  tls_1_2: suites,
});

const CONFIGURATIONS: readonly (readonly [name: string, server: Configuration, grade: string, score: number])[] = [
  ['TLS 1.2 and 1.3 with AES of both sizes and RSA 2,048', {}, 'A', 93],
  ['ECDSA P-256', { certificate: { key_type: 'EC', key_bits: 256 } }, 'A', 93],
  [
    'only the best options',
    {
      protocols: { tls_1_3: 'TLS_AES_256_GCM_SHA384' },
      certificate: { key_bits: 4_096 },
      ephemeral: { ecdh: { group: 'secp521r1', bits: 521 } },
    },
    'A',
    100,
  ],
  ['no TLS 1.3', { protocols: { tls_1_2: TLS_1_2 } }, 'A-', 93],
  ['no secure renegotiation', { vulnerable: { session_renegotiation: 'unsupported' } }, 'A-', 93],
  ['client-initiated renegotiation', { vulnerable: { session_renegotiation: 'client_initiated' } }, 'A', 93],
  ['TLS 1.0 and 1.1 in addition', { protocols: { ...modern, tls_1_0: CBC, tls_1_1: CBC } }, 'B', 79],
  ['only TLS 1.0', { protocols: { tls_1_0: CBC } }, 'C', 64],
  ['SSL 3.0 to TLS 1.2, open to POODLE', { protocols: everywhere(CBC), vulnerable: { poodle_ssl: null } }, 'C', 64],
  ['only SSL 3.0', { protocols: { ssl_3_0: 'TLS_RSA_WITH_AES_256_CBC_SHA' } }, 'F', 19],
  ['SSL 2.0 in addition', { protocols: { ...modern, ssl_2_0: 'SSL_CK_DES_192_EDE3_CBC_WITH_MD5' } }, 'F', 19],
  ['RSA 1,024', { certificate: { key_bits: 1_024 } }, 'B', 79],
  ['RSA 512', { certificate: { key_bits: 512 } }, 'F', 19],
  ['Diffie-Hellman of 1,024 bits', { ephemeral: { dh: 1_024 } }, 'B', 79],
  ['Diffie-Hellman of 768 bits', { ephemeral: { dh: 768 } }, 'F', 19],
  ['RC4 with TLS 1.2', { protocols: also('TLS_ECDHE_RSA_WITH_RC4_128_SHA') }, 'C', 64],
  ['RC4 only with TLS 1.0', { protocols: { ...modern, tls_1_0: 'TLS_ECDHE_RSA_WITH_RC4_128_SHA' } }, 'B', 79],
  ['only RC4', { protocols: everywhere('TLS_RSA_WITH_RC4_128_SHA') }, 'F', 19],
  ['3DES with TLS 1.2', { protocols: also('TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA') }, 'C', 64],
  ['DES', { protocols: also('TLS_RSA_WITH_DES_CBC_SHA') }, 'F', 19],
  ['NULL suites', { protocols: also('TLS_RSA_WITH_NULL_SHA') }, 'F', 19],
  ['anonymous suites', { protocols: also('TLS_DH_anon_WITH_AES_128_CBC_SHA') }, 'F', 0],
  ['export suites', { protocols: also('TLS_RSA_EXPORT_WITH_RC4_40_MD5') }, 'F', 19],
  ['only RSA key exchange', { protocols: { tls_1_2: 'TLS_RSA_WITH_AES_256_GCM_SHA384' } }, 'B', 79],
  [
    'a preference for RSA key exchange',
    { protocols: { tls_1_2: `TLS_RSA_WITH_AES_256_GCM_SHA384 ${TLS_1_2}` } },
    'B',
    79,
  ],
  [
    'RSA key exchange if the client chooses',
    { protocols: { tls_1_2: `TLS_RSA_WITH_AES_256_GCM_SHA384 ${TLS_1_2}` }, ordered: false },
    'A-',
    93,
  ],
  ['only CBC', { protocols: { tls_1_2: CBC } }, 'B', 79],
  ['an unknown suite', { protocols: also('0xfff0') }, 'A', 93],
  ['compression', { vulnerable: { crime: null } }, 'C', 64],
  ['renegotiation without RFC 5746', { vulnerable: { session_renegotiation: 'insecure' } }, 'F', 19],
  ['a key that another server uses with SSL 2.0', { vulnerable: { drown: null } }, 'F', 19],
  ['an incomplete chain', { certificate: { chain_complete: false } }, 'B', 79],
  ['a signature with MD5', { certificate: { signature_algorithms: ['md5WithRSAEncryption'] } }, 'F', 19],
  [
    'a signature with SHA-1',
    { certificate: { signature_algorithms: ['sha256WithRSAEncryption', 'ecdsa-with-SHA1'] } },
    'T',
    0,
  ],
  ['an expired certificate', { certificate: { in_time: false } }, 'T', 0],
  ['an untrusted certificate', { certificate: { trusted: false } }, 'T', 0],
  ['a revoked certificate', { certificate: { revoked: true } }, 'T', 0],
  ['an unknown revocation status', { certificate: { revoked: null } }, 'A', 93],
  ['a certificate for another name', { certificate: { matches_host: false } }, 'M', 0],
  ['no certificate', { certificate: null }, 'T', 0],
  ['an untrusted certificate for another name', { certificate: { matches_host: false, trusted: false } }, 'T', 0],
];

for (const [name, server, grade, score] of CONFIGURATIONS)
  rating(`a server with ${name} gets the grade ${grade} and the score ${score}`, () => {
    const rated = rate(scanned(server));
    assert.equal({ grade: rated.grade, score: rated.score }, { grade, score });
    for (const sentence of rated.deductions) assert.match(sentence, /^.{10,300}\.$/);
    // Every imperfection is explained by a sentence.
    if (score < 100) assert.ok(rated.deductions.length > 0);
  });

rating('a server with a critical vulnerability never has a score that passes', () => {
  for (const name of CRITICAL) {
    const { grade, score } = rate(scanned({ vulnerable: { [name]: null } }));
    assert.equal({ grade, score }, { grade: 'F', score: 19 });
  }
});

rating('tests that were not possible do not reduce the score', () => {
  const facts = scanned({});
  const heartbleed = { vulnerable: false, tested: false, details: 'The server closed the connection.' };
  assert.is(rate({ ...facts, vulnerabilities: { heartbleed } }).grade, 'A');
});

rating(
  'deductions first list the necessary changes, beginning with the most costly one, and then the categories that lost points',
  () => {
    const suites = `${TLS_1_2} TLS_RSA_WITH_3DES_EDE_CBC_SHA`;
    const { deductions } = rate(
      scanned({ protocols: { tls_1_0: CBC, tls_1_2: suites }, certificate: { key_bits: 1_024 } }),
    );
    assert.equal(deductions, [
      'Ciphers with 64-bit blocks are accepted with TLS 1.1 or newer (RSA_WITH_3DES_EDE_CBC_SHA): switch them off. The grade is C at best.',
      'TLS 1.0 is accepted: switch off everything older than TLS 1.2. The grade is B at best.',
      'Keys are weak: the 1,024-bit RSA key of the certificate should have at least 2,048 bits. The grade is B at best.',
      'TLS 1.3 is not supported: switch it on. The grade is A- at best.',
      'Protocols have 95 of 100 points: the oldest is TLS 1.0.',
      'Key exchange has 80 of 100 points: it is only as strong as the 1,024-bit RSA key of the certificate.',
      'Cipher strength has 60 of 100 points: the weakest cipher has 112 bits.',
    ]);
  },
);

rating('long lists of suites in deductions are shortened', () => {
  const names = ['AES_128_CBC_SHA', 'AES_256_CBC_SHA', 'RC4_128_MD5', 'AES_128_CBC_SHA256', 'AES_256_CBC_SHA256'];
  const { deductions } = rate(scanned({ protocols: also(names.map((name) => `TLS_DH_anon_WITH_${name}`).join(' ')) }));
  assert.is(
    deductions[0],
    'Anonymous suites authenticate nobody (DH_anon_WITH_AES_128_CBC_SHA, DH_anon_WITH_AES_256_CBC_SHA, ' +
      'DH_anon_WITH_RC4_128_MD5 and 2 more): switch them off. The grade is F.',
  );
});

rating.run();
