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

const test = suite('servers with one weakness each');
test.after.each(closeServers);

const certificate = hasOpenssl() ? createRsaCertificate() : null;

const SECURE = { secure: true, times: 0 };
const TLS_1_2 = factsOf({ tls_1_2: [RSA_SUITE] });
/** Two versions, of which the server in question speaks whichever it is offered. */
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
  const sentence = `${name}: ${what}`;
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

finds('heartbleed', 'vulnerable', 'a server that answers out of its memory', { heartbeat: 'leaks' }, /Update OpenSSL/);
finds('heartbleed', 'safe', 'a server that discards', { heartbeat: 'discards' }, /supports heartbeats and discards/);
finds('heartbleed', 'safe', 'a server that asks by itself', { heartbeat: 'asks' }, /./);
finds('heartbleed', 'safe', 'a server that refuses', { heartbeat: 'refuses' }, /./);
finds('heartbleed', 'safe', 'a server without heartbeats', {}, /does not answer heartbeats/);
finds('heartbleed', 'safe', 'a server that says nothing any more', { heartbeat: 'is silent' }, /./);

finds('ccs_injection', 'vulnerable', 'a server that changes too early', { earlyChange: 'accepts' }, /Update OpenSSL/);
finds('ccs_injection', 'safe', 'a server that refuses', { earlyChange: 'refuses' }, /refuses/);
finds(
  'ccs_injection',
  'safe',
  'a server that calls everything it did not expect unexpected',
  { earlyChange: 'garbled' },
  /refuses/,
);
finds(
  'ccs_injection',
  'safe',
  'a server that could decrypt nothing anyway',
  { earlyChange: 'refuses', unreadable: 20 },
  /refuses/,
);
finds('ccs_injection', 'untested', 'a server that says nothing', { earlyChange: 'is silent' }, /did not answer/);

finds('robot', 'strong_oracle', 'a server that tells the start', { oracle: 'strong' }, /strong oracle/);
finds(
  'robot',
  'strong_oracle',
  'a server that tells it by the time of its answer',
  { oracle: 'early' },
  /strong oracle/,
);
finds('robot', 'strong_oracle', 'a server that says it twice', { oracle: 'twice' }, /strong oracle/);
finds('robot', 'weak_oracle', 'a server that tells whether all is right', { oracle: 'weak' }, /weak oracle.*TLS_RSA_/);
finds('robot', 'safe', 'a server that tells nothing', { oracle: 'none' }, /alike/);
finds('robot', 'untested', 'a server that answers as it likes', { oracle: 'changing' }, /differently each time/);
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
finds('crime', 'safe', 'a server that does not', {}, /does not compress/);

const REFUSES = { secure: true, times: 2 };
finds('session_renegotiation', 'safe', 'a server that refuses', { renegotiation: SECURE }, /does not renegotiate/);
finds(
  'session_renegotiation',
  'safe',
  'a server that goes silent',
  { renegotiation: { ...SECURE, otherwise: 'is silent' } },
  /does not renegotiate/,
);
finds('session_renegotiation', 'safe', 'a server that stops it', { renegotiation: REFUSES }, /only 2 per connection/);
finds(
  'session_renegotiation',
  'client_initiated',
  'a server without end',
  { renegotiation: { secure: true, times: 99 } },
  /as often as/,
);
finds(
  'session_renegotiation',
  'insecure',
  'a server without RFC 5746 that does it',
  { renegotiation: { secure: false, times: 99 } },
  /CVE-2009-3555.*when a client asks/,
);
finds(
  'session_renegotiation',
  'unsupported',
  'a server without RFC 5746 that does not',
  { renegotiation: { secure: false, times: 0 } },
  /may do so itself/,
);

finds(
  'fallback_scsv',
  'safe',
  'a server that knows it',
  TWO.weak,
  /refuses clients .* from TLS 1\.2 to TLS 1\.1\./,
  TWO.facts,
);
finds('fallback_scsv', 'safe', 'a server that hangs up', { ...TWO.weak, fallback: 'closes' }, /hangs up/, TWO.facts);
finds(
  'fallback_scsv',
  'vulnerable',
  'a server that does not',
  { ...TWO.weak, fallback: 'accepts' },
  /RFC 7507/,
  TWO.facts,
);
finds(
  'fallback_scsv',
  'safe',
  'a server that tells by its random',
  { ...TWO.weak, fallback: 'marks' },
  /its random warns/,
  TWO.facts,
);
finds('fallback_scsv', 'safe', 'a server with one protocol', {}, /only TLS 1\.2/);

if (certificate) {
  test('a healthy server is tested with at most twelve connections', async () => {
    const server = await weakServer(certificate, { ...TWO.weak, renegotiation: SECURE });
    const { findings, dialed } = await vulnerabilitiesAt(server.port, TWO.facts);
    assert.is(new Set(Object.values(verdicts(findings))).size, 1, JSON.stringify(verdicts(findings)));
    assert.ok(dialed <= 12, dialed.toString());
  });

  test('tests without a response from a server that serves one client at a time are repeated', async () => {
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
    test(`the weaknesses of a server with ${protocol} are found`, async () => {
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

test('a server with only TLS 1.3 needs no connection', async () => {
  const { findings, dialed } = await vulnerabilitiesAt(1, factsOf({ tls_1_3: [0x1301] }));
  assert.equal(new Set(Object.values(verdicts(findings))), new Set(['safe']));
  assert.is(dialed, 0);
});

test('nothing is reported as safe if the scan was cut off before it found a protocol', async () => {
  const facts = factsOf({}, { cutOff: ['ssl_2_0', 'ssl_3_0', 'tls_1_0', 'tls_1_1', 'tls_1_2', 'tls_1_3'] });
  const { findings } = await vulnerabilitiesAt(1, facts);
  assert.equal(new Set(Object.values(verdicts(findings))), new Set(['untested']));
});

test('a server that has disappeared could not be tested', async () => {
  const { findings, complete } = await vulnerabilitiesAt(1, TLS_1_2);
  assert.is(complete, false);
  assert.equal(findings.heartbleed, {
    vulnerable: false,
    tested: false,
    details: 'Connection refused by 127.0.0.1:1.',
  });
});

if (certificate) {
  test('after the time limit, earlier findings are reported, and the remaining ones as not tested', async () => {
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
