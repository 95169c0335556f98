// Own process: commands add listeners for SIGINT that are never removed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProgram } from '../../../cli/program.ts';
import { sslReport } from '../../../cli/probe/reports/ssl.ts';
import { metadataOf, type SslFacts } from '../../../probes/ssl/metadata.ts';
import { nothing, usual, worst } from '../../probes/ssl/facts.ts';
import { createRsaCertificate } from '../../probes/ssl/servers/rsa-certificate.ts';
import { tlsServer } from '../../probes/ssl/tls-server.ts';
import { rawServer } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { collectLines } from '../../service/lines.ts';

const test = suite('uptrail probe ssl');

const uptrailProbe = async (...words: string[]) => {
  const output = collectLines();
  let code = -1;
  const program = createProgram({}, output, (exitCode) => (code = exitCode));
  await program.parseAsync(['node', 'uptrail', 'probe', 'ssl', ...words]);
  return { code, lines: output.lines };
};

test('uptrail probe ssl prints a report, and with --json the result as it is stored', async () => {
  const server = await tlsServer(createRsaCertificate());
  const target = `127.0.0.1:${server.port}`;
  const { code, lines } = await uptrailProbe(target);
  const json = await uptrailProbe(target, '--json');
  await server.close();
  // The check fails because the certificate is self-signed.
  assert.is(code, 1);
  assert.match(lines[0] ?? '', /^failed: Certificate is self-signed/);
  const text = lines.join('\n');
  assert.match(text, /^grade +T, 0 of 100: protocols 100, key exchange 90, ciphers 90$/m);
  assert.match(text, /^ {2}TLS 1\.3 {2}yes/m);
  assert.match(text, /^ {4}heartbleed +no$/m);
  const printed = JSON.parse(json.lines[0] ?? '') as { check_metadata: { ssl_grade: string } };
  assert.is(printed.check_metadata.ssl_grade, 'T');
});

test('uptrail probe ssl --starttls speaks the named protocol before the TLS handshake', async () => {
  const server = await rawServer((socket) => socket.end('* BYE\r\n'));
  const { lines } = await uptrailProbe(`127.0.0.1:${server.port}`, '--starttls', 'imap');
  await server.close();
  assert.match(lines[0] ?? '', /^down: .* accepts no IMAP connections/);
});

test('uptrail probe ssl shows only the address of a server that refuses the connection', async () => {
  const target = `127.0.0.1:${await freePort()}`;
  const { code, lines } = await uptrailProbe(target);
  assert.is(code, 1);
  assert.equal(lines, [
    `down: Connection refused by ${target}.`,
    '',
    `server  127.0.0.1, port ${target.split(':')[1] ?? ''}`,
  ]);
});

const report = (found: SslFacts): string[] =>
  sslReport({
    status: 'ok',
    reason: null,
    response_time: 12,
    error_message: null,
    check_metadata: metadataOf(found),
  });

test('uptrail probe ssl marks weak ciphers, vulnerabilities and tests that were not completed', () => {
  const lines = report({
    ...usual,
    starttls: 'smtp',
    vulnerabilities: {
      rc4: { vulnerable: true, tested: true, details: 'It accepts RC4.' },
      robot: { vulnerable: false, tested: false, details: 'It closed the connection.' },
    },
    missing: [{ part: 'protocols', details: 'Time was up before all protocols were known.' }],
  });
  for (const line of [
    'server     web.test at 127.0.0.1, port 443, STARTTLS over smtp',
    'handshake  TLSv1.3 TLS_AES_256_GCM_SHA384 in 12 ms',
    '  - Time was up before all protocols were known.',
    '  SSL 2.0  not seen',
    '    ! TLS_RSA_WITH_NULL_MD5 (NULL encryption, RSA key exchange, no forward secrecy)',
    '  ! rc4    It accepts RC4.',
    '  ? robot  not tested: It closed the connection.',
    '  valid       2026-01-01 to 2027-01-01, 40 days left',
  ])
    assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`);
});

test('uptrail probe ssl has a report for the smallest and the largest possible result', () => {
  assert.equal(report(nothing), ['ok', '', 'server  web.test, port 443']);
  assert.ok(report(worst).includes('truncated  long lists were truncated'));
});

test.run();
