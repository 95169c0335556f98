import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RECORD_TYPES, type RecordType } from '../../../domain/check/types/dns.ts';
import { dig, missingTool, startNameServers, type NameServers, type Zone } from '../../servers/name-servers.ts';
import { probe } from './probing.ts';

const real = suite('dns checks of nsd and unbound, compared with dig');

const many = Array.from({ length: 400 }, (_, index) => `many A 198.51.${index >> 8}.${index & 255}`);
const chain = Array.from({ length: 8 }, (_, index) => `c${index} CNAME c${index + 1}`);
const KEY = `${'ABCDabcd0189+/'.repeat(20)}AAA=`;

const GOOD: Zone = {
  name: 'good.',
  signed: true,
  records: [
    'a A 192.0.2.1',
    'a A 192.0.2.2',
    'a AAAA 2001:DB8:0:0:1::1',
    'a AAAA ::FFFF:192.0.2.1',
    'a AAAA ::192.0.2.1',
    'a CAA 0 issue "ca.example; account=\\"1\\""',
    'a CAA 128 iodef "mailto:security@good"',
    'dname DNAME a',
    'a MX 10 mail.Good.',
    'a MX 5 backup',
    'null MX 0 .',
    'a NAPTR 100 10 "U" "E2U+sip" "!^(.*)$!sip:\\\\1@good!" .',
    'a NAPTR 100 20 "" "" "" _sip._udp',
    'ptr PTR Host.Example.',
    '_sip._udp SRV 1 2 5060 sip.good.',
    `a SSHFP 4 2 ${'0a'.repeat(32)}`,
    '_8443._https.a SVCB 1 svc port=8443 alpn="h2,h3" ipv4hint=192.0.2.1,192.0.2.2 key667="a b"',
    'a HTTPS 0 other.example.',
    'h HTTPS 1 . mandatory=port,alpn no-default-alpn alpn=h3 port=443 ech="YWJj" ipv6hint=2001:db8::1',
    `_443._tcp.a TLSA 3 1 1 ${'fe'.repeat(32)}`,
    'a TXT "v=spf1 " "include:good -all"',
    'a TXT "with \\"quotes\\", a \\\\ and \\195\\164 \\009 bytes; and ( more )"',
    'a TXT ""',
    `k._domainkey TXT "v=DKIM1; k=rsa; p=${KEY.slice(0, 200)}" "${KEY.slice(200)}"`,
    'odd\\.label.x\\032y A 192.0.2.3',
    'tonew CNAME odd\\.label.x\\032y',
    'www CNAME Web',
    'web CNAME a',
    'out CNAME www.plain.',
    'gone CNAME nothing',
    'noaddress CNAME ptr',
    '*.wild A 192.0.2.4',
    'deep.empty.er A 192.0.2.5',
    ...chain,
    'c8 A 192.0.2.6',
    ...many,
  ],
};

const ZONES: readonly Zone[] = [
  GOOD,
  { name: 'bad.', signed: 'expired', records: ['www A 192.0.2.1'] },
  { name: 'plain.', records: ['www A 192.0.2.7', 'www AAAA 2001:db8::7'] },
  { name: '2.0.192.in-addr.arpa.', records: ['1 PTR a.good.', '1 PTR www.plain.'] },
  { name: '8.b.d.0.1.0.0.2.ip6.arpa.', records: ['7.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0 PTR www.plain.'] },
];

/** Queries for every record type, directly and through aliases, wildcards and delegations. */
const QUESTIONS: readonly (readonly [RecordType, string])[] = [
  ...RECORD_TYPES.map((type) => [type, 'a.good'] as const),
  ...(['A', 'AAAA', 'MX', 'TXT', 'CNAME'] as const).flatMap((type) =>
    ['www.good', 'out.good', 'tonew.good', 'x.dname.good', 'x.wild.good', 'c0.good'].map(
      (name) => [type, name] as const,
    ),
  ),
  ...(['NS', 'SOA', 'DNSKEY', 'DS'] as const).flatMap((type) =>
    ['good', 'bad', 'plain', '.'].map((name) => [type, name] as const),
  ),
  ['DNAME', 'dname.good'],
  ['MX', 'null.good'],
  ['PTR', 'ptr.good'],
  ['PTR', '1.2.0.192.in-addr.arpa'],
  ['SRV', '_sip._udp.good'],
  ['SVCB', '_8443._https.a.good'],
  ['HTTPS', 'h.good'],
  ['TLSA', '_443._tcp.a.good'],
  ['TXT', 'k._domainkey.good'],
  ['A', 'A.Good.'],
  ['A', 'odd\\.label.x\\032y.good'],
  ['A', 'many.good'],
  ['A', 'deep.empty.er.good'],
  ['A', 'empty.er.good'],
  ['A', 'gone.good'],
  ['A', 'noaddress.good'],
  ['A', 'no.good'],
  ['A', 'nowhere'],
  ['A', 'www.bad'],
  ['A', 'no.bad'],
  ['A', 'www.plain'],
];

/** Returns the output of dig in the spelling of our answers: names in lower case, texts without quotes. */
const digAnswers = (port: number, name: string, type: RecordType): string[] =>
  dig(port, name, type)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(';'))
    .map((line) => {
      if (type === 'TXT' && line.startsWith('"')) return line.replaceAll('" "', '').slice(1, -1);
      return ['CAA', 'NAPTR'].includes(type) ? line.replace(/^\d+ [A-Z]+ /, (words) => words.toLowerCase()) : line;
    })
    .map((line) => (/^[^"]*\.$/.test(line) || type === 'MX' ? line.toLowerCase() : line))
    .sort();

/** Returns the response code and the AD flag that dig shows. */
const digHeader = (port: number, name: string, type: RecordType): [string, boolean] => {
  const words = ['-p', port.toString(), '@127.0.0.1', '+noall', '+comments', name, type];
  const { stdout } = spawnSync('dig', words, { encoding: 'utf8' });
  const [, rcode = ''] = /status: (\w+)/.exec(stdout) ?? [];
  const [, flags = ''] = /flags: ([a-z ]*);/.exec(stdout) ?? [];
  return [rcode, flags.split(' ').includes('ad')];
};

/**
 * `tool` is the program that is missing for these tests, if any. `starting` are the name servers: they are started
 * once, before the first test that uses them.
 */
const tool = missingTool();
let starting: Promise<NameServers> | undefined;
const onServers = (sentence: string, run: (servers: NameServers) => Promise<void>): void => {
  real(sentence, async () => {
    starting ??= startNameServers(ZONES);
    await run(await starting);
  });
};
real.after(async () => (await starting)?.close());

if (tool !== undefined) console.log(`skipped: ${tool} is not installed`);
else {
  onServers('dns checks return the same answers as dig, for every record type and transport', async (servers) => {
    for (const [server, port] of [
      ['nsd', servers.authoritative],
      ['unbound', servers.resolver],
    ] as const) {
      let answered = 0;
      for (const [type, name] of QUESTIONS) {
        const outcome = await probe(name, {
          parameters: { record_type: type, dns_servers: [`127.0.0.1:${port}`] },
        });
        const { answers, cname_chain: aliases, rcode, authenticated_data } = outcome.check_metadata;
        const shown = [...aliases.map(({ target }) => target), ...answers].sort();
        const about = `${name} ${type} of ${server}`;
        // nsd does not follow an alias into another one of its zones, so dig shows fewer records than the check.
        const followed = server === 'nsd' && name === 'out.good';
        const expected = digAnswers(port, name, type);
        if (followed)
          assert.ok(
            expected.every((line) => shown.includes(line)),
            about,
          );
        else assert.equal(shown, expected, about);
        if (!followed) assert.equal([rcode, authenticated_data], digHeader(port, name, type), about);
        assert.is(outcome.status, answers.length > 0 ? 'ok' : 'failed', about);
        if (answers.length > 0) answered++;
      }
      const questions = QUESTIONS.length.toString();
      console.log(`  dig and we agree on all ${questions} questions to ${server}, ${answered} of them with answers`);
    }
  });

  onServers('dns checks distinguish a failed validation from an unsigned answer', async ({ resolver }) => {
    const runOf = async (host: string, record_type: RecordType = 'A') =>
      probe(host, { parameters: { record_type, dns_servers: [`127.0.0.1:${resolver}`] } });
    const bad = await runOf('www.bad');
    assert.is(bad.status, 'failed');
    assert.match(bad.error_message ?? '', /^DNSSEC validation of www\.bad fails at .* The server's reason: .*\.$/);
    assert.is(bad.check_metadata.validation_failed, true);
    assert.equal(bad.check_metadata.authoritative_nameservers, ['ns.bad.']);
    const unsigned = await runOf('www.plain');
    assert.is(unsigned.status, 'ok');
    assert.equal(
      [unsigned.check_metadata.authenticated_data, unsigned.check_metadata.validation_failed],
      [false, false],
    );
    const address = await runOf('2001:db8::7', 'PTR');
    assert.equal(address.check_metadata.answers, ['www.plain.']);
    assert.equal(address.check_metadata.authoritative_nameservers, ['ns.8.b.d.0.1.0.0.2.ip6.arpa.']);
  });

  onServers('dns checks use TCP for answers that are too long for UDP', async ({ authoritative }) => {
    const { check_metadata } = await probe('many.good', {
      parameters: { dns_servers: [`127.0.0.1:${authoritative}`] },
    });
    assert.is(check_metadata.transport, 'tcp');
    assert.is(check_metadata.answers.length, 400);
  });

  onServers('dns checks detect a changed record', async ({ authoritative, change }) => {
    const runOf = () =>
      probe('www.plain', {
        parameters: {
          dns_servers: [`127.0.0.1:${authoritative}`],
          expected_answers: ['192.0.2.7'],
          validation_mode: 'exact',
        },
      });
    assert.is((await runOf()).status, 'ok');
    await change({ name: 'plain.', records: ['www A 192.0.2.8'] });
    assert.is(
      (await runOf()).error_message,
      'The A records of www.plain are not as expected: missing "192.0.2.7"; unexpected "192.0.2.8".',
    );
    await change({ name: 'plain.', records: ['www A 192.0.2.7'] });
    assert.is((await runOf()).status, 'ok');
  });
}

real.run();
