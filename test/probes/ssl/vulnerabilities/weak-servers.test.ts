import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { VulnerabilityName } from '../../../../probes/ssl/vulnerabilities/finding.ts';
import type { ProtocolName } from '../../../../probes/ssl/wire/protocols.ts';
import { hasOpenssl } from '../../web/certificates.ts';
import { closeServers } from '../../web/servers.ts';
import { createRsaCertificate } from '../servers/rsa-certificate.ts';
import { weakServer, type Weaknesses } from '../servers/weak-server.ts';
import { factsOf, RSA_SUITE, verdict, vulnerabilitiesAt, verdicts } from './testing.ts';
import { eventually } from '../../../waiting.ts';

const test = suite('vulnerability tests of servers with one weakness each');
test.after.each(closeServers);

const certificate = hasOpenssl() ? createRsaCertificate() : null;

const SECURE = { secure: true, times: 0 };
const TLS_1_2 = factsOf({ tls_1_2: [RSA_SUITE] });
/** A server that supports two TLS versions, and uses whichever of these the client offers. */
const TWO = {
  weak: { versions: [0x0303, 0x0302], suites: [RSA_SUITE, 0x002f] },
  facts: factsOf({ tls_1_2: [RSA_SUITE, 0x002f], tls_1_1: [0x002f] }),
};

const finds = (
  name: VulnerabilityName,
  expected: string,
  what: string,
  weaknesses: Weaknesses,
  details: RegExp,
  facts = TLS_1_2,
): void => {
  const sentence = `the test for ${name} reports "${expected}" for ${what}`;
  if (!certificate) {
    console.log(`  skipped: openssl is not installed: ${sentence}`);
    return;
  }
  test(sentence, async () => {
    const server = await weakServer(certificate, { renegotiation: SECURE, ...weaknesses });
    const { findings } = await vulnerabilitiesAt(server.port, facts);
    assert.is(verdict(findings[name]), expected, findings[name].details);
    assert.match(findings[name].details, details);
  });
};

finds('heartbleed', 'vulnerable', 'a server that responds with its memory', { heartbeat: 'leaks' }, /Update OpenSSL/);
finds(
  'heartbleed',
  'safe',
  'a server that discards invalid heartbeats',
  { heartbeat: 'discards' },
  /supports heartbeats and discards/,
);
finds('heartbleed', 'safe', 'a server that sends heartbeats of its own', { heartbeat: 'asks' }, /./);
finds('heartbleed', 'safe', 'a server that refuses invalid heartbeats', { heartbeat: 'refuses' }, /./);
finds('heartbleed', 'safe', 'a server without heartbeats', {}, /does not answer heartbeats/);
finds('heartbleed', 'safe', 'a server that becomes silent', { heartbeat: 'is silent' }, /./);

finds(
  'ccs_injection',
  'vulnerable',
  'a server that accepts an early ChangeCipherSpec',
  { earlyChange: 'accepts' },
  /Update OpenSSL/,
);
finds(
  'ccs_injection',
  'safe',
  'a server that refuses an early ChangeCipherSpec',
  { earlyChange: 'refuses' },
  /refuses/,
);
finds(
  'ccs_injection',
  'safe',
  'a server that reports any unexpected message in the same way',
  { earlyChange: 'garbled' },
  /refuses/,
);
finds(
  'ccs_injection',
  'safe',
  'a server that can decrypt nothing afterwards',
  { earlyChange: 'refuses', unreadable: 20 },
  /refuses/,
);
finds('ccs_injection', 'untested', 'a server that does not respond', { earlyChange: 'is silent' }, /did not answer/);

finds(
  'robot',
  'strong_oracle',
  'a server that reveals the beginning of the padding',
  { oracle: 'strong' },
  /strong oracle/,
);
finds(
  'robot',
  'strong_oracle',
  'a server that reveals the padding by an early response',
  { oracle: 'early' },
  /strong oracle/,
);
finds(
  'robot',
  'strong_oracle',
  'a server that reveals the padding by a second alert',
  { oracle: 'twice' },
  /strong oracle/,
);
finds(
  'robot',
  'weak_oracle',
  'a server that reveals whether the whole padding is valid',
  { oracle: 'weak' },
  /weak oracle.*TLS_RSA_/,
);
finds('robot', 'safe', 'a server that reveals nothing', { oracle: 'none' }, /alike/);
finds(
  'robot',
  'untested',
  'a server whose responses differ each time',
  { oracle: 'changing' },
  /differently each time/,
);
finds(
  'robot',
  'safe',
  'a server without RSA key exchange',
  {},
  /no suite with RSA key exchange/,
  factsOf({ tls_1_2: [0xc02f] }),
);
finds(
  'robot',
  'untested',
  'a scan that was cut off',
  {},
  /TLS 1\.2/,
  factsOf({ tls_1_2: [0xc02f] }, { cutOff: ['tls_1_2'] }),
);

finds('crime', 'vulnerable', 'a server that compresses', { compresses: true }, /Turn off TLS compression/);
finds('crime', 'safe', 'a server that does not compress', {}, /does not compress/);

const REFUSES = { secure: true, times: 2 };
finds(
  'session_renegotiation',
  'safe',
  'a server that refuses renegotiation',
  { renegotiation: SECURE },
  /does not renegotiate/,
);
finds(
  'session_renegotiation',
  'safe',
  'a server that becomes silent after a request to renegotiate',
  { renegotiation: { ...SECURE, otherwise: 'is silent' } },
  /does not renegotiate/,
);
finds(
  'session_renegotiation',
  'safe',
  'a server that limits renegotiations',
  { renegotiation: REFUSES },
  /only 2 per connection/,
);
finds(
  'session_renegotiation',
  'client_initiated',
  'a server that allows unlimited renegotiation',
  { renegotiation: { secure: true, times: 99 } },
  /as often as/,
);
finds(
  'session_renegotiation',
  'insecure',
  'a server without RFC 5746 that renegotiates',
  { renegotiation: { secure: false, times: 99 } },
  /CVE-2009-3555.*when a client asks/,
);
finds(
  'session_renegotiation',
  'unsupported',
  'a server without RFC 5746 that refuses renegotiation',
  { renegotiation: { secure: false, times: 0 } },
  /may do so itself/,
);

finds(
  'fallback_scsv',
  'safe',
  'a server that refuses fallbacks',
  TWO.weak,
  /refuses clients .* from TLS 1\.2 to TLS 1\.1\./,
  TWO.facts,
);
finds(
  'fallback_scsv',
  'safe',
  'a server that closes the connection at fallbacks',
  { ...TWO.weak, fallback: 'closes' },
  /hangs up/,
  TWO.facts,
);
finds(
  'fallback_scsv',
  'vulnerable',
  'a server that accepts fallbacks',
  { ...TWO.weak, fallback: 'accepts' },
  /RFC 7507/,
  TWO.facts,
);
finds(
  'fallback_scsv',
  'safe',
  'a server whose random marks fallbacks',
  { ...TWO.weak, fallback: 'marks' },
  /its random warns/,
  TWO.facts,
);
finds('fallback_scsv', 'safe', 'a server with one protocol', {}, /only TLS 1\.2/);

if (certificate) {
  test('a server without vulnerabilities is tested with at most twelve connections', async () => {
    const server = await weakServer(certificate, { ...TWO.weak, renegotiation: SECURE });
    const { findings, dialed } = await vulnerabilitiesAt(server.port, TWO.facts);
    assert.is(new Set(Object.values(verdicts(findings))).size, 1, JSON.stringify(verdicts(findings)));
    assert.ok(dialed <= 12, dialed.toString());
  });

  test('vulnerability tests are repeated if a server that serves one client at a time did not respond', async () => {
    const slow: Weaknesses = { heartbeat: 'is silent', earlyChange: 'is silent', oneByOne: 500 };
    const server = await weakServer(certificate, { ...TWO.weak, ...slow, oracle: 'strong', renegotiation: REFUSES });
    const { findings, complete } = await vulnerabilitiesAt(server.port, TWO.facts);
    const { robot, crime, session_renegotiation, fallback_scsv } = verdicts(findings);
    assert.equal([robot, crime, session_renegotiation, fallback_scsv], ['strong_oracle', 'safe', 'safe', 'safe']);
    assert.ok(complete);
  });

  for (const [protocol, version] of [
    ['tls_1_1', 0x0302],
    ['tls_1_0', 0x0301],
    ['ssl_3_0', 0x0300],
  ] as const satisfies readonly (readonly [ProtocolName, number])[])
    test(`vulnerability tests find the weaknesses of a server with ${protocol}`, async () => {
      const weak: Weaknesses = { heartbeat: 'leaks', earlyChange: 'accepts', oracle: 'strong', compresses: true };
      const server = await weakServer(certificate, { ...weak, versions: [version], suites: [0x002f] });
      const { findings } = await vulnerabilitiesAt(server.port, factsOf({ [protocol]: [0x002f] }));
      const { heartbleed, ccs_injection, robot, crime, session_renegotiation } = verdicts(findings);
      assert.equal(
        [heartbleed, ccs_injection, robot, crime, session_renegotiation],
        ['vulnerable', 'vulnerable', 'strong_oracle', 'vulnerable', 'unsupported'],
      );
    });
}

test('vulnerability tests of a server with only TLS 1.3 need no connection', async () => {
  const { findings, dialed } = await vulnerabilitiesAt(1, factsOf({ tls_1_3: [0x1301] }));
  assert.equal(new Set(Object.values(verdicts(findings))), new Set(['safe']));
  assert.is(dialed, 0);
});

test('vulnerability tests report nothing as safe if the scan was cut off before it found a protocol', async () => {
  const facts = factsOf({}, { cutOff: ['ssl_2_0', 'ssl_3_0', 'tls_1_0', 'tls_1_1', 'tls_1_2', 'tls_1_3'] });
  const { findings } = await vulnerabilitiesAt(1, facts);
  assert.equal(new Set(Object.values(verdicts(findings))), new Set(['untested']));
});

test('vulnerability tests of a server that has disappeared are reported as not tested', async () => {
  const { findings, complete } = await vulnerabilitiesAt(1, TLS_1_2);
  assert.is(complete, false);
  assert.equal(findings.heartbleed, {
    vulnerable: false,
    tested: false,
    details: 'Connection refused by 127.0.0.1:1.',
  });
});

if (certificate) {
  test('vulnerability tests that run out of time report their findings, and the remaining tests as not done', async () => {
    const server = await weakServer(certificate, { earlyChange: 'is silent', renegotiation: SECURE });
    const { findings } = await vulnerabilitiesAt(
      server.port,
      factsOf({ tls_1_2: [RSA_SUITE], ssl_3_0: [0x002f] }),
      AbortSignal.timeout(1_000),
    );
    assert.is(verdict(findings.poodle_ssl), 'vulnerable');
    assert.equal(findings.ccs_injection, {
      vulnerable: false,
      tested: false,
      details: 'Time was up before this was tested.',
    });
    await eventually(() => server.open() === 0);
  });
}

test.run();
