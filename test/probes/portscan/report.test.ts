import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readDiscovery } from '../../../probes/portscan/discovery.ts';
import { readReport, type ReportedPort } from '../../../probes/portscan/report.ts';
import { randomFrom } from '../../contracts/random.ts';
import { nmapOutput, report } from './stand-in.ts';

const reading = suite('parsing the output of nmap');

const read = (text: string, pieces = 1) => {
  const ports: ReportedPort[] = [];
  const reader = readReport((port) => ports.push(port));
  const length = Math.ceil(text.length / pieces);
  for (let at = 0; at < text.length; at += length) reader.feed(text.slice(at, at + length));
  return { ports, ...reader.report };
};

/** Returns the offset of the end of the line in which a report states its success. */
const endOf = (text: string): number => text.indexOf('exit="success"/>') + 'exit="success"/>'.length;

/** A report of hosts with unusual values. */
const ODD = report([
  {
    port: 22,
    service:
      'name="ssh" product="OpenSSH" version="9.2p1 Debian 2" extrainfo="protocol 2.0" ostype="Linux" method="probed" conf="10"><cpe>cpe:/a:openbsd:openssh:9.2p1</cpe></service><x a="1"',
  },
  { port: 443, service: 'name="http" product="nginx" tunnel="ssl" method="probed" conf="10"' },
  {
    port: 8_080,
    service:
      'name="http-proxy" method="table" conf="3" servicefp="SF-Port8080-TCP:V=7.93%I=7%r(GetRequest,FF,&quot;HTTP/1\\.1\\x20200&quot;);"',
  },
  {
    port: 21,
    service:
      'name="ftp" product="&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;" version="&#x1b;[31m&#x202e;gnp&#x0;&#10;\u0085 a  b" method="probed"',
  },
  { port: 25, state: 'filtered' },
  { port: 26, state: 'open|filtered', protocol: 'udp' },
]);

reading('the report of nmap is parsed port by port, with services', () => {
  const { ports, complete, gaveUp } = read(ODD);
  assert.equal([complete, gaveUp], [true, false]);
  const nothing = { service: null, product: null, version: null, extrainfo: null, recognised: false };
  assert.equal(ports, [
    {
      port: 22,
      state: 'open',
      service: 'ssh',
      product: 'OpenSSH',
      version: '9.2p1 Debian 2',
      extrainfo: 'protocol 2.0',
      recognised: true,
    },
    { ...nothing, port: 443, state: 'open', service: 'ssl/http', product: 'nginx', recognised: true },
    { ...nothing, port: 8_080, state: 'open', service: 'http-proxy' },
    {
      ...nothing,
      port: 21,
      state: 'open',
      service: 'ftp',
      product: '<script>alert(1)</script> & "x"',
      version: ports[3]?.version ?? '',
      recognised: true,
    },
    { ...nothing, port: 25, state: 'filtered' },
    { ...nothing, port: 26, state: 'open|filtered' },
  ]);
  assert.not.match(ports[3]?.version ?? '', /[\p{C}\n]/u);
});

reading('the report of nmap gives the same result no matter where it is cut into pieces', () => {
  const whole = read(ODD);
  for (const pieces of [2, 7, 100, ODD.length]) assert.equal(read(ODD, pieces), whole);
});

reading('a truncated nmap report is parsed up to the point where it was cut off', () => {
  for (let length = 0; length < ODD.length; length += 13) {
    const { ports, complete } = read(ODD.slice(0, length));
    assert.is(complete, length >= endOf(ODD));
    assert.equal(ports, read(ODD).ports.slice(0, ports.length));
  }
});

reading('elements of an nmap report that are not ports are ignored', () => {
  const odd = report([]).replace(
    '<ports>',
    '<ports><port portid="0"><state state="open"/></port><port portid="65536"/><port portid="x"/><port/><state state="open"/>',
  );
  assert.equal(read(odd).ports, []);
  assert.is(read('').complete, false);
  assert.is(read(report([]).replace('exit="success"', 'exit="error"')).complete, false);
});

reading('any nmap report is parsed without an exception', () => {
  const random = randomFrom(20_261_122);
  for (let round = 0; round < 300; round++) {
    const bytes = Buffer.from(ODD);
    for (let times = random.below(30); times > 0; times--) bytes[random.below(bytes.length)] = random.below(256);
    const { ports } = read(bytes.toString('utf8'), 1 + random.below(5));
    for (const { port, product, version } of ports) {
      assert.ok(Number.isInteger(port) && port > 0 && port < 65_536);
      assert.not.match(`${product ?? ''}${version ?? ''}`, /\p{Cc}/u);
    }
  }
});

const discovered = (text: string, pieces = 1) => {
  const { found: all, feed } = readDiscovery();
  const length = Math.max(1, Math.ceil(text.length / pieces));
  for (let at = 0; at < text.length; at += length) feed(text.slice(at, at + length));
  return { ...all, open: [...all.open], states: Object.fromEntries(all.states) };
};

reading('open ports are reported as soon as nmap finds them, and their usual services at the end', () => {
  const text = nmapOutput(
    { 22: 'open   ssh', 23: 'filtered telnet', 9_999: 'open   unknown' },
    '90 closed tcp ports (reset), 7 filtered tcp ports (no-response)',
  );
  const early = discovered(text.slice(0, text.indexOf('Completed')));
  assert.equal(early, {
    open: [
      [22, null],
      [9_999, null],
    ],
    states: {},
    gaveUp: false,
    hosts: null,
  });
  const all = {
    open: [
      [22, 'ssh'],
      [9_999, null],
    ],
    states: { open: 2, filtered: 8, closed: 90 },
    gaveUp: false,
    hosts: 1,
  };
  for (const pieces of [1, 3, 50, text.length]) assert.equal(discovered(text, pieces), all);
});

reading('unknown lines in the output of nmap are ignored', () => {
  const odd = [
    'Discovered open port 99999999/tcp on 127.0.0.1',
    'xDiscovered open port 22/tcp on 127.0.0.1',
    'Discovered open port /tcp on 127.0.0.1',
    `Discovered open port 22${'2'.repeat(5_000)}/tcp on 127.0.0.1`,
    'Nmap done: no idea',
  ].join('\n');
  assert.equal(discovered(`${odd}\n`), { open: [], states: {}, gaveUp: false, hosts: null });
});

reading.run();
