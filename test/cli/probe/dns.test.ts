// Own process: commands add listeners for SIGINT that are never removed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProgram } from '../../../cli/program.ts';
import { answering, zoneOf } from '../../probes/dns/zone-server.ts';
import { collectLines } from '../../service/lines.ts';

const test = suite('uptrail probe dns');

const ZONE = zoneOf('example.test', [
  { type: 'NS', name: 'example.test', data: 'ns1.example.test' },
  { type: 'NS', name: 'example.test', data: 'ns2.example.test' },
  { type: 'CNAME', name: 'www.example.test', data: 'web.example.test', ttl: 30 },
  { type: 'A', name: 'web.example.test', data: '192.0.2.1', ttl: 60 },
  { type: 'A', name: 'web.example.test', data: '192.0.2.2', ttl: 60 },
]);

/** Runs the command on a server with the zone above. @returns the output, with the address and times replaced */
const report = async (...words: string[]): Promise<{ code: number; lines: string[] }> => {
  const server = await answering(ZONE);
  const output = collectLines();
  let code = -1;
  try {
    const program = createProgram({}, output, (exitCode) => (code = exitCode));
    await program.parseAsync(['node', 'uptrail', 'probe', 'dns', ...words, '--server', server.address]);
  } finally {
    await server.close();
  }
  const lines = output.lines.map((line) =>
    line.replaceAll(server.address, 'SERVER').replace(/after \d+ ms/, 'after T ms'),
  );
  return { code, lines };
};

test('uptrail probe dns shows the aliases, the answers and the server', async () => {
  assert.equal(await report('www.example.test'), {
    code: 0,
    lines: [
      'ok',
      '',
      'www.example.test. A',
      '  www.example.test. is an alias of web.example.test. (CNAME)',
      '  192.0.2.1',
      '  192.0.2.2',
      '',
      'server        SERVER, over udp',
      'answer        NOERROR after T ms',
      'TTL           60 s',
      'DNSSEC        not validated',
      'name servers  ns1.example.test. ns2.example.test.',
    ],
  });
});

test('uptrail probe dns marks missing and unexpected answers', async () => {
  const words = ['--record-type', 'a', '--expect', '192.0.2.3', '--expect', '192.0.2.2', '--validation-mode', 'exact'];
  const { code, lines } = await report('web.example.test', ...words);
  assert.is(code, 1);
  assert.equal(lines.slice(0, 6), [
    'failed: The A records of web.example.test are not as expected: missing "192.0.2.3"; unexpected "192.0.2.1".',
    '',
    'web.example.test. A',
    '+ 192.0.2.1  (unexpected)',
    '  192.0.2.2',
    '- 192.0.2.3  (missing)',
  ]);
});

test('uptrail probe dns shows the server and the name servers even if the name does not exist', async () => {
  const { code, lines } = await report('no.example.test', '--timeout', '1');
  assert.is(code, 1);
  assert.equal(lines, [
    'failed: no.example.test does not exist in the zone example.test (NXDOMAIN from SERVER).',
    '',
    'no.example.test. A',
    '',
    'server        SERVER, over udp',
    'answer        NXDOMAIN after T ms',
    'DNSSEC        not validated',
    'name servers  ns1.example.test. ns2.example.test.',
  ]);
});

test('uptrail probe dns --json prints one JSON object in the shape of the result', async () => {
  const { lines } = await report('web.example.test', '--json');
  assert.is(lines.length, 1);
  const { check_metadata } = JSON.parse(lines[0] ?? '') as { check_metadata: Record<string, unknown> };
  assert.equal(check_metadata['answers'], ['192.0.2.1', '192.0.2.2']);
});

test.run();
