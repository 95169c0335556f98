import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { suite as specifications } from 'uvu';
import * as assert from 'uvu/assert';
import { startTlsOf, type StartTls } from '../../../domain/check/types/starttls.ts';
import { systemClock, type Clock } from '../../../network/clock.ts';
import { addressLiteral } from '../../../probes/ssl/starttls/lines.ts';
import { StartTlsFailed } from '../../../probes/ssl/starttls.ts';
import { rejects } from '../../rejects.ts';
import { hasOpenssl, createAuthority } from '../web/certificates.ts';
import { closeServers, rawServer } from '../web/servers.ts';
import { scanned, spoken } from './scan/scanning.ts';

const test = specifications('STARTTLS');
test.after.each(closeServers);

const hasty: Clock = { ...systemClock, after: (milliseconds, call) => systemClock.after(milliseconds / 10, call) };

/** The messages of a server, and what the server waits for before the next one: a pattern, or a number of bytes. */
type Script = readonly (string | RegExp | Buffer | { bytes: number })[];

const LDAP_YES = Buffer.from('300c02010178070a010004000400', 'hex');
/** The response of Active Directory, which encodes every length in five octets. */
const ACTIVE_DIRECTORY_YES = Buffer.concat([
  Buffer.from('3084000000280201017884 0000001f0a010004000400 8a16'.replaceAll(' ', ''), 'hex'),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
]);
const ACTIVE_DIRECTORY_NO = Buffer.from('30840000001002010178840000000 70a013404000400'.replaceAll(' ', ''), 'hex');
/** A response that encodes the length 12 in more octets than any length needs. */
const LDAP_LONG = Buffer.from('3088000000000000000c02010178070a010004000400', 'hex');

/** Encodes a response with a diagnostic message. The id 0 makes it an unsolicited notification (RFC 4511, 4.4). */
const ldapResult = (id: number, code: number, words: string): Buffer =>
  Buffer.concat([
    Buffer.from([0x30, words.length + 12, 2, 1, id, 0x78, words.length + 7, 10, 1, code, 4, 0, 4, words.length]),
    Buffer.from(words),
  ]);

const LDAP_NO = Buffer.from('300c02010178070a013504000400', 'hex');

const mysqlGreeting = (flags: number): Buffer => {
  const body = Buffer.concat([
    Buffer.from('\x0a8.0.36\0', 'latin1'),
    Buffer.alloc(13),
    Buffer.from([flags & 255, flags >> 8]),
    Buffer.alloc(30),
  ]);
  return Buffer.concat([Buffer.from([body.length, 0, 0, 0]), body]);
};

const STREAM = `<?xml version='1.0'?><stream:stream from='tls.test' id='1' xmlns='jabber:client' version='1.0'>`;
const FEATURES = `${STREAM}<stream:features>`;

/** Follows a script until TLS begins. */
const play = (socket: Socket, script: Script, then: () => void): void => {
  const [step, ...rest] = script;
  if (step === undefined) then();
  else if (step instanceof RegExp)
    socket.once('data', (chunk: Buffer) => {
      assert.match(chunk.toString('latin1'), step);
      play(socket, rest, then);
    });
  else if (typeof step === 'object' && 'bytes' in step)
    socket.once('data', (chunk: Buffer) => {
      socket.pause();
      socket.unshift(chunk.subarray(step.bytes));
      play(socket, rest, then);
    });
  else
    socket.write(step, () => {
      play(socket, rest, then);
    });
};

const SCRIPTS: readonly [StartTls, string, Script][] = [
  [
    'smtp',
    'SMTP',
    [
      '220-mx.test\r\n220 ESMTP\r\n',
      /^EHLO \[127\.0\.0\.1\]\r\n$/,
      '250-mx.test\r\n250-SIZE\r\n250 STARTTLS\r\n',
      /^STARTTLS\r\n$/,
      '220 go\r\n',
    ],
  ],
  ['imap', 'IMAP', ['* OK IMAP4rev1\r\n', /^\S+ STARTTLS\r\n$/, '* CAPABILITY IMAP4rev1\r\nu1 OK begin\r\n']],
  ['pop3', 'POP3', ['+OK ready\r\n', /^STLS\r\n$/, '+OK begin\r\n']],
  ['ftp', 'FTP', ['220-Welcome\r\n to this server\r\n220 (vsFTPd 3.0.3)\r\n', /^AUTH TLS\r\n$/, '234 Proceed\r\n']],
  [
    'ftp',
    'FTP with lines that look like the final line of a response',
    [
      '220-Welcome\r\n 220 indented text\r\n2200 files here\r\n220-more\r\n221 other\r\n220 ready\r\n',
      /^AUTH TLS\r\n$/,
      '234-\r\n2340\r\n234\r\n',
    ],
  ],
  ['ldap', 'Active Directory', [/1\.3\.6\.1\.4\.1\.1466\.20037$/, ACTIVE_DIRECTORY_YES]],
  ['ldap', 'LDAP with a length in its longest encoding', [/1\.3\.6\.1\.4\.1\.1466\.20037$/, LDAP_LONG]],
  ['ldap', 'LDAP', [/1\.3\.6\.1\.4\.1\.1466\.20037$/, LDAP_YES]],
  ['postgres', 'PostgreSQL', [/^\0\0\0\x08\x04\xd2\x16\x2f$/, 'S']],
  ['mysql', 'MySQL', [mysqlGreeting(0xffff), { bytes: 36 }]],
  [
    'xmpp',
    'XMPP',
    [
      /to='tls\.test'/,
      `${FEATURES}<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>`,
      /^<starttls/,
      "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>",
    ],
  ],
  [
    'xmpp',
    'XMPP without prefixes',
    [
      /to='tls\.test'/,
      `${STREAM}<features xmlns='http://etherx.jabber.org/streams'>`,
      `<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'><required/></starttls></features>`,
      /^<starttls/,
      "<proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'></proceed>",
    ],
  ],
];

if (!hasOpenssl()) console.log('  skipped: openssl is not installed');
else {
  const authority = createAuthority();
  test.after(authority.close);
  const certificate = authority.make('server', { names: 'DNS:tls.test' });
  const secureContext = createSecureContext(certificate);

  for (const [protocol, title, script] of SCRIPTS)
    test(`STARTTLS over ${title} is followed by TLS on every connection`, async () => {
      const { port } = await rawServer((socket) => {
        play(socket, script, () => {
          new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => undefined);
        });
      });
      const { facts } = await scanned(port, { starttls: protocol });
      assert.equal(spoken(facts), ['tls_1_2', 'tls_1_3']);
      assert.ok(facts.complete);
    });
}

const failure = async (protocol: StartTls, script: Script): Promise<string> => {
  const { port } = await rawServer((socket) => {
    play(socket, script, () => socket.end());
    socket.resume();
  });
  try {
    await scanned(port, { starttls: protocol, clock: hasty });
  } catch (error) {
    assert.instance(error, StartTlsFailed);
    return (error as Error).message.replace(/127\.0\.0\.1:\d+/, 'HOST');
  }
  throw new Error('It did not fail.');
};

const REFUSALS: readonly [StartTls, Script, string][] = [
  [
    'smtp',
    ['220 mx\r\n', /EHLO/, '250 mx\r\n', /STARTTLS/, '502 5.5.1 Not implemented\r\n'],
    'HOST does not offer TLS over SMTP: it answered "502 5.5.1 Not implemented".',
  ],
  [
    'smtp',
    ['220 mx\r\n', /EHLO/, '504 5.5.2 Helo command rejected\r\n'],
    'HOST refused EHLO [127.0.0.1] over SMTP, so there is no TLS: it answered "504 5.5.2 Helo command rejected".',
  ],
  [
    'smtp',
    ['554-mx is closed\r\n554-to you,\r\n554 see https://example.test/\r\n'],
    'HOST accepts no SMTP connections at the moment: it said "554 mx is closed to you, see https://example.test/".',
  ],
  ['smtp', ['421 Too busy\r\n'], 'HOST accepts no SMTP connections at the moment: it said "421 Too busy".'],
  ['smtp', ['554 Go away\r\n'], 'HOST accepts no SMTP connections at the moment: it said "554 Go away".'],
  ['smtp', ['SSH-2.0-OpenSSH\r\n'], 'HOST does not speak SMTP: it said "SSH-2.0-OpenSSH".'],
  [
    'imap',
    ['* OK\r\n', /STARTTLS/, 'u1 BAD what\r\n'],
    'HOST does not offer TLS over IMAP: it answered "u1 BAD what".',
  ],
  ['imap', ['* BYE later\r\n'], 'HOST accepts no IMAP connections at the moment: it said "* BYE later".'],
  [
    'imap',
    ['* OK\r\n', /STARTTLS/, '* BYE closing\r\n'],
    'HOST accepts no IMAP connections at the moment: it said "* BYE closing".',
  ],
  ['pop3', ['+OK\r\n', /STLS/, '-ERR no\r\n'], 'HOST does not offer TLS over POP3: it answered "-ERR no".'],
  [
    'ftp',
    ['220 hi\r\n', /AUTH/, '530 Please login\r\n'],
    'HOST does not offer TLS over FTP: it answered "530 Please login".',
  ],
  ['ldap', [/./, LDAP_NO], 'HOST does not offer TLS over LDAP: it answered "unwillingToPerform (53)".'],
  ['ldap', [/./, ACTIVE_DIRECTORY_NO], 'HOST does not offer TLS over LDAP: it answered "unavailable (52)".'],
  [
    'ldap',
    [/./, ldapResult(1, 99, 'Not today.')],
    'HOST does not offer TLS over LDAP: it answered "result code 99: Not today.".',
  ],
  [
    'ldap',
    [/./, ldapResult(0, 52, 'Going down')],
    'HOST accepts no LDAP connections at the moment: it said "unavailable (52): Going down".',
  ],
  ['ldap', [/./, '220 mx ESMTP\r\n'], 'HOST does not speak LDAP: it said "220 mx ESMTP".'],
  ['ldap', [/./, Buffer.from('3084ffffffff0201', 'hex')], 'HOST does not speak LDAP: it said "0".'],
  ['ldap', [/./, Buffer.from('3000', 'hex')], 'HOST does not speak LDAP: it said something that is not text.'],
  ['postgres', [/./, 'N'], 'HOST does not offer TLS over PostgreSQL: it answered "N".'],
  [
    'mysql',
    [mysqlGreeting(0xf7ff)],
    'HOST does not offer TLS over MySQL: it answered "no SSL among its capabilities".',
  ],
  [
    'mysql',
    [Buffer.concat([Buffer.from([26, 0, 0, 0, 0xff, 0x10, 4]), Buffer.from('#08004Too many clients!')])],
    'HOST accepts no MySQL connections at the moment: it said "Too many clients!".',
  ],
  [
    'xmpp',
    [/to=/, `${FEATURES}</stream:features>`],
    'HOST does not offer TLS over XMPP: it answered "no starttls among its features".',
  ],
  [
    'xmpp',
    [
      /to=/,
      `${STREAM}<stream:error><host-unknown xmlns='urn:ietf:params:xml:ns:xmpp-streams'/>`,
      `<text xmlns='urn:ietf:params:xml:ns:xmpp-streams'>Not here</text></stream:error></stream:stream>`,
    ],
    'HOST refused a stream to tls.test over XMPP, so there is no TLS: it answered "host-unknown: Not here".',
  ],
  [
    'xmpp',
    [/to=/, `${STREAM}<stream:features/>`],
    'HOST does not offer TLS over XMPP: it answered "no starttls among its features".',
  ],
  // A hostile response, in which a slow parser would scan the same tags again and again.
  [
    'xmpp',
    [/to=/, '<error>'.repeat(8_000)],
    `HOST does not speak XMPP: it said "${'<error>'.repeat(15).slice(0, 100)}…".`,
  ],
  ['xmpp', [/to=/, 'HTTP/1.1 400 Bad <b>\r\n'], 'HOST does not speak XMPP: it said "HTTP/1.1 400 Bad <b>".'],
  ['pop3', [], 'HOST closed the connection before TLS could begin.'],
  ['smtp', ['220'], 'HOST does not speak SMTP: it said "220".'],
  ['imap', ['x'.repeat(5_000)], `HOST does not speak IMAP: it said "${'x'.repeat(100)}".`],
];

for (const [protocol, script, sentence] of REFUSALS)
  test(`a failed STARTTLS has an error message that begins with: ${sentence.slice(0, 90)}`, async () => {
    assert.equal(await failure(protocol, script), sentence);
  });

test('STARTTLS does not wait indefinitely for a greeting', async () => {
  const { port } = await rawServer((socket) => socket.resume());
  await rejects(
    scanned(port, { starttls: 'smtp', clock: hasty }),
    StartTlsFailed,
    /said nothing before TLS could begin\.$/,
  );
});

test('STARTTLS clients identify themselves with an address', () => {
  assert.equal(['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1', 'fe80::1%eth0'].map(addressLiteral), [
    ...['[192.0.2.1]', '[IPv6:2001:db8::1]', '[192.0.2.1]', '[IPv6:fe80::1]'],
  ]);
});

test('the protocol for STARTTLS is chosen by the port', () => {
  assert.equal([25, 587, 143, 110, 21, 389, 5432, 3306, 5222, 443, 465, 993, 8443].map(startTlsOf), [
    ...['smtp', 'smtp', 'imap', 'pop3', 'ftp', 'ldap', 'postgres', 'mysql', 'xmpp'],
    ...['none', 'none', 'none', 'none'],
  ]);
});

test.run();
