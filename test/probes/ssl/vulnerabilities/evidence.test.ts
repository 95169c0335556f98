import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { getDiffieHellman } from 'node:crypto';
import type { ScanFacts } from '../../../../probes/ssl/scan/facts.ts';
import { beast } from '../../../../probes/ssl/vulnerabilities/beast.ts';
import { drown } from '../../../../probes/ssl/vulnerabilities/drown.ts';
import type { VulnerabilityFinding } from '../../../../probes/ssl/vulnerabilities/finding.ts';
import { freak } from '../../../../probes/ssl/vulnerabilities/freak.ts';
import { logjam } from '../../../../probes/ssl/vulnerabilities/logjam.ts';
import { poodleSsl } from '../../../../probes/ssl/vulnerabilities/poodle-ssl.ts';
import { rc4 } from '../../../../probes/ssl/vulnerabilities/rc4.ts';
import { sweet32 } from '../../../../probes/ssl/vulnerabilities/sweet32.ts';
import { factsOf, verdict } from './testing.ts';

const test = suite('vulnerabilities that follow from the scan');

const AES_CBC = 0x002f;
const AES_GCM = 0x009c;
const RC4 = 0x0005;
const RC4_EXPORT = 0x0003;
const TRIPLE_DES = 0x000a;
const DHE_EXPORT = 0x0014;
const DHE = 0x009e;
const SSL2_RC4 = 0x010080;
const SSL2_RC4_EXPORT = 0x020080;

const OAKLEY_2 = { bits: 1_024, prime: getDiffieHellman('modp2').getPrime('hex') };
const OF_ITS_OWN = { bits: 1_023, prime: `7${'f'.repeat(255)}` };
const LARGE = { bits: 2_048, prime: 'f'.repeat(512) };

type Test = (facts: ScanFacts) => VulnerabilityFinding;

const TABLE: readonly [name: string, test: Test, facts: ScanFacts, expected: string, details: RegExp][] = [
  [
    'POODLE: SSL 3.0 with CBC',
    poodleSsl,
    factsOf({ ssl_3_0: [RC4, AES_CBC] }),
    'vulnerable',
    /TLS_RSA_WITH_AES_128_CBC_SHA\).*Turn off/,
  ],
  ['POODLE: SSL 3.0 without CBC', poodleSsl, factsOf({ ssl_3_0: [RC4] }), 'safe', /without the CBC/],
  ['POODLE: no SSL 3.0', poodleSsl, factsOf({ tls_1_0: [AES_CBC] }), 'safe', /does not speak/],
  [
    'POODLE: a scan that ended before SSL 3.0',
    poodleSsl,
    factsOf({}, { cutOff: ['ssl_3_0'] }),
    'untested',
    /could not find .* SSL 3\.0/,
  ],
  [
    'POODLE: SSL 3.0 with CBC, found before the scan ended',
    poodleSsl,
    factsOf({ ssl_3_0: [AES_CBC] }, { cutOff: ['ssl_3_0'] }),
    'vulnerable',
    /CBC/,
  ],
  [
    'DROWN: SSL 2.0 with export suites',
    drown,
    factsOf({ ssl_2_0: [SSL2_RC4, SSL2_RC4_EXPORT] }),
    'export_suites',
    /EXPORT/,
  ],
  ['DROWN: SSL 2.0 without export suites', drown, factsOf({ ssl_2_0: [SSL2_RC4] }), 'ssl_2_0', /replace the key/],
  ['DROWN: SSL 2.0 that names no suite', drown, factsOf({ ssl_2_0: [] }), 'ssl_2_0', /Turn off SSL 2\.0/],
  ['DROWN: no SSL 2.0', drown, factsOf({ tls_1_2: [AES_GCM] }), 'safe', /another server with the same RSA key/],
  ['DROWN: a scan that ended before SSL 2.0', drown, factsOf({}, { cutOff: ['ssl_2_0'] }), 'untested', /SSL 2\.0/],
  ['FREAK: RSA export', freak, factsOf({ tls_1_0: [RC4_EXPORT] }), 'vulnerable', /RSA_EXPORT.* with TLS 1\.0/],
  ['FREAK: export with Diffie-Hellman', freak, factsOf({ tls_1_0: [DHE_EXPORT] }), 'safe', /no RSA export/],
  ['FREAK: SSL 2.0 alone', freak, factsOf({ ssl_2_0: [SSL2_RC4_EXPORT] }), 'safe', /no RSA export/],
  [
    'FREAK: a scan that ended before TLS 1.1 and 1.2 were complete',
    freak,
    factsOf({ tls_1_2: [AES_GCM] }, { cutOff: ['tls_1_1', 'tls_1_2'] }),
    'untested',
    /TLS 1\.1 and TLS 1\.2\.$/,
  ],
  ['RC4', rc4, factsOf({ tls_1_0: [RC4], tls_1_2: [RC4, AES_GCM] }), 'vulnerable', /TLS 1\.0 and TLS 1\.2/],
  ['RC4 in SSL 2.0', rc4, factsOf({ ssl_2_0: [SSL2_RC4] }), 'vulnerable', /SSL 2\.0/],
  ['no RC4', rc4, factsOf({ tls_1_2: [AES_GCM] }), 'safe', /no RC4/],
  ['SWEET32: 3DES', sweet32, factsOf({ tls_1_2: [TRIPLE_DES] }), 'vulnerable', /3DES_EDE_CBC_SHA/],
  [
    'SWEET32: no suite with 64-bit blocks',
    sweet32,
    factsOf({ tls_1_2: [AES_CBC] }),
    'safe',
    /no cipher with 64-bit blocks/,
  ],
  ['BEAST: CBC with TLS 1.0', beast, factsOf({ tls_1_0: [AES_CBC] }), 'vulnerable', /Turn off TLS 1\.0/],
  ['BEAST: RC4 with TLS 1.0', beast, factsOf({ tls_1_0: [RC4] }), 'safe', /no CBC suite/],
  ['BEAST: CBC with TLS 1.1', beast, factsOf({ tls_1_1: [AES_CBC] }), 'safe', /neither/],
  ['Logjam: export', logjam, factsOf({ tls_1_0: [DHE_EXPORT] }), 'export_suites', /512-bit/],
  [
    'Logjam: a shared group',
    logjam,
    factsOf({ tls_1_2: [DHE] }, { prime: OAKLEY_2 }),
    'well_known_group',
    /1,024 bits and is that of Oakley group 2/,
  ],
  [
    'Logjam: a small group that only this server uses',
    logjam,
    factsOf({ tls_1_2: [DHE] }, { prime: OF_ITS_OWN }),
    'weak_group',
    /1,023 bits/,
  ],
  ['Logjam: a large group', logjam, factsOf({ tls_1_2: [DHE] }, { prime: LARGE }), 'safe', /2,048 bits/],
  ['Logjam: no Diffie-Hellman', logjam, factsOf({ tls_1_2: [AES_GCM] }), 'safe', /accepts no Diffie-Hellman/],
  ['Logjam: an unknown group', logjam, factsOf({ tls_1_2: [DHE] }), 'untested', /which group/],
];

for (const [name, find, facts, expected, details] of TABLE)
  test(`a vulnerability test has the result ${expected} for the case “${name}”`, () => {
    const finding = find(facts);
    assert.is(verdict(finding), expected);
    assert.match(finding.details, details);
    assert.match(finding.details, /^[A-Z].*\.$/);
  });

test('a long list of vulnerable suites is shortened in the sentence', () => {
  const { details } = rc4(factsOf({ tls_1_0: [0x0003, 0x0004, 0x0005, 0x0018, 0xc007] }));
  assert.match(details, /\(TLS_RSA_EXPORT_WITH_RC4_40_MD5, TLS_RSA_WITH_RC4_128_MD5 and 3 more\)/);
});

test.run();
