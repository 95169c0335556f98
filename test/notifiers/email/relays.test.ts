import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fakeClock } from '../../network/fake-clock.ts';
import { createAuthority, hasOpenssl } from '../../probes/web/certificates.ts';
import { closeServers, rawTlsServer } from '../../probes/web/servers.ts';
import { freePort } from '../../servers/ports.ts';
import { createEmail } from '../../../notifiers/email/index.ts';
import { relayOf } from '../../../notifiers/email/relay.ts';
import { closeEmails, emailBy, FROM, line, mac, mail, MESSAGE, type World } from './send-mail.ts';
import { drop, smtpServer, type Behaviour, type Reaction } from './smtp-server.ts';
import { eventually } from '../../waiting.ts';

const test = suite('sending e-mail through a relay');
test.after.each(async () => {
  closeEmails();
  await closeServers();
});

type Phase = keyof NonNullable<Behaviour['answers']>;
const PHASES = ['GREETING', 'EHLO', 'MAIL', 'RCPT', 'DATA', '.'] as const satisfies readonly Phase[];

/** Sends a message to a relay that reacts in this way in one phase of the session. @returns the outcome */
const where = async (phase: Phase, reaction: Reaction, behaviour: Behaviour = {}): Promise<string> => {
  const server = await smtpServer({ ...behaviour, answers: { [phase]: reaction } });
  return named(server, await mail(server));
};

const named = ({ url }: { url: string }, sent: Parameters<typeof line>[0]): string =>
  line(sent).replaceAll(url.replace('smtp://', ''), 'RELAY');

test('a relay accepts a message for one recipient, with an address for bounces', async () => {
  const server = await smtpServer();
  assert.is(line(await mail(server)), 'delivered 250');
  assert.equal(server.commands.slice(1), [
    '1 MAIL FROM:<status+delivery0001.429f1f3d46b635be@example.org>',
    '1 RCPT TO:<jane@example.com>',
    '1 DATA',
  ]);
  assert.is(server.messages.length, 1);
});

test('a relay that supports DSN is requested to send bounces without the message, with the id of the delivery', async () => {
  const server = await smtpServer({ offers: ['DSN'] });
  await mail(server);
  assert.match(server.commands[1] ?? '', / RET=HDRS ENVID=delivery0001$/);
  assert.match(server.commands[2] ?? '', / NOTIFY=FAILURE$/);
});

test('an unreachable relay is reported as unavailable', async () => {
  const port = (await freePort()).toString();
  assert.is(
    line(await mail({ url: `smtp://127.0.0.1:${port}` })),
    `unavailable connect null: Connection refused by 127.0.0.1:${port}.`,
  );
  assert.is(
    line(await mail({ url: 'smtp://mail.example.org' })),
    'unavailable lookup null: The host name mail.example.org was not found.',
  );
});

test('the host name of a relay is resolved', async () => {
  const server = await smtpServer();
  const url = `smtp://relay.example.org:${server.port}`;
  assert.is(line(await mail({ url, hosts: { 'relay.example.org': ['127.0.0.1'] } })), 'delivered 250');
});

test('a relay that closes the connection before it accepts a message is unavailable', async () => {
  for (const phase of ['GREETING', 'EHLO'] as const) {
    assert.is(
      await where(phase, drop),
      'unavailable connect null: RELAY closed the connection before a message could be sent.',
      phase,
    );
  }
});

test('a message is retried if the relay closes the connection before it accepts the message', async () => {
  for (const phase of ['MAIL', 'RCPT', 'DATA', '.'] as const) {
    assert.is(
      await where(phase, drop),
      'again connection null: RELAY closed the connection before it accepted the message.',
      phase,
    );
  }
});

test('a relay that ends the session with 421 in any phase is unavailable', async () => {
  for (const phase of PHASES) {
    assert.match(await where(phase, '421 4.3.2 Shutting down'), /^unavailable (greeting|closing) 421: /, phase);
    const closing: Reaction = (socket) => socket.end('421 4.3.2 Shutting down\r\n');
    assert.match(await where(phase, closing), /^unavailable (greeting|closing) 421: /, phase);
  }
});

test('a relay that refuses the session is unavailable', async () => {
  assert.is(
    await where('GREETING', '554 5.7.1 Go away'),
    'unavailable greeting 554: RELAY refused the session (554 5.7.1).',
  );
  assert.is(await where('GREETING', '450 Later'), 'unavailable greeting 450: RELAY refused the session (450).');
  assert.is(
    await where('GREETING', 'HTTP/1.1 400 Bad Request'),
    'unavailable protocol null: RELAY does not speak SMTP as it should.',
  );
});

test('a message that the relay defers, for example by greylisting, is retried', async () => {
  for (const phase of ['MAIL', 'RCPT', 'DATA', '.'] as const) {
    assert.is(
      await where(phase, '451 4.7.1 Greylisted, try again in 300 seconds'),
      'again deferred 451: RELAY answered 451 4.7.1: it may accept the message later.',
      phase,
    );
  }
  assert.match(await where('RCPT', '450 4.2.0 <jane@example.com>: Greylisted'), /^again deferred 450: /);
  assert.match(await where('RCPT', '452 4.2.2 Mailbox full'), /^again deferred 452: /);
  assert.match(await where('DATA', '503 5.5.1 Bad sequence'), /^again deferred 503: /);
});

test('a greylisted message can be accepted later in the same session', async () => {
  let attempts = 0;
  const server = await smtpServer({
    onCommand: (command) => (command.startsWith('RCPT') && attempts++ === 0 ? '451 4.7.1 Greylisted' : undefined),
  });
  const email = emailBy({ url: `${server.url}?connections=1` });
  const send = () => email.send(MESSAGE, { address: 'jane@example.com' }, { signal: new AbortController().signal });
  assert.match(line(await send()), /^again deferred/);
  assert.is(line(await send()), 'delivered 250');
  assert.is(server.sessions(), 1);
  assert.is(server.messages.length, 1);
});

test('a recipient that the relay refuses is a permanent failure', async () => {
  assert.is(
    await where('RCPT', '550 5.1.1 <jane@example.com>: User unknown'),
    'permanent recipient 550: RELAY answered 550 5.1.1: there is no such mailbox.',
  );
  assert.match(await where('RCPT', '550 No such user'), /^permanent recipient 550: /);
  assert.match(await where('RCPT', '553 sorry'), /^permanent recipient 553: /);
  assert.match(await where('.', '550 5.1.1 User unknown'), /^permanent recipient 550: /);
});

test('a refusal for any reason other than an unknown recipient does not invalidate the recipient’s address', async () => {
  assert.is(
    await where('RCPT', '552 5.2.2 Mailbox full'),
    'permanent mailbox_full 552: RELAY answered 552 5.2.2: the mailbox is full.',
  );
  assert.match(await where('RCPT', '552 Over quota'), /^permanent mailbox_full 552: /);
  assert.is(
    await where('.', '552 5.3.4 Message too big'),
    'permanent too_large 552: RELAY answered 552 5.3.4: the message is too large.',
  );
  assert.match(await where('MAIL', '552 Too big'), /^permanent too_large 552: /);
  assert.match(await where('RCPT', '554 5.7.1 <jane@example.com>: Relay access denied'), /^permanent refused 554: /);
  assert.match(await where('RCPT', '550 relay not permitted'), /^permanent refused 550: /);
  assert.match(await where('.', '554 5.7.1 Spam'), /^permanent refused 554: /);
  assert.match(await where('.', '550 Content rejected'), /^permanent refused 550: /);
});

test('a message is retried after an unexpected response of the relay', async () => {
  for (const phase of ['MAIL', 'RCPT', 'DATA', '.'] as const) {
    assert.match(await where(phase, 'Hello?'), /^again connection null: /, phase);
  }
});

test('a relay that refuses the sender address is unavailable', async () => {
  assert.is(
    await where('MAIL', '550 5.7.1 Sender not allowed'),
    'unavailable sender 550: RELAY does not accept MAIL_FROM as a sender (550 5.7.1).',
  );
  assert.match(await where('MAIL', '553 5.1.8 Unknown domain'), /^unavailable sender 553: /);
});

test('a relay that refuses the login is unavailable, and is not tried again for five minutes', async () => {
  const clock = fakeClock(Date.parse('2026-11-20T15:00:00Z'));
  const server = await smtpServer({ offers: ['AUTH PLAIN'], answers: { AUTH: '535 5.7.8 Wrong: c2VjcmV0' } });
  const url = server.url.replace('//', '//jane:secret@');
  const sent = await mail({ url, clock });
  assert.is(
    named(server, sent),
    'unavailable auth 535: RELAY refused the login (535 5.7.8): check the password in SMTP_URL.',
  );
  assert.is(sent.status === 'unavailable' && sent.notBefore, '2026-11-20T15:05:00.000000');
  assert.match(await where('MAIL', '530 5.7.0 Authentication required'), /^unavailable auth 530: /);
  const busy = await smtpServer({ offers: ['AUTH PLAIN'], answers: { AUTH: '454 4.7.0 Temporary failure' } });
  const later = await mail({ url: busy.url.replace('//', '//jane:secret@') });
  assert.is(named(busy, later), 'unavailable auth 454: RELAY accepts no logins at present (454 4.7.0).');
  assert.is(later.status === 'unavailable' && later.notBefore, null);
});

test('the relay receives the user name and password of its URL', async () => {
  const server = await smtpServer({ offers: ['AUTH LOGIN PLAIN'] });
  assert.is(line(await mail({ url: server.url.replace('//', '//jane:se%23cret@') })), 'delivered 250');
  const [, given = ''] = server.commands;
  assert.is(Buffer.from(given.replace('1 AUTH PLAIN ', ''), 'base64').toString(), '\0jane\0se#cret');
});

test('no password or message is sent in plain text if TLS is required, even if an attacker has removed STARTTLS', async () => {
  const server = await smtpServer({ offers: ['AUTH PLAIN'], answers: { STARTTLS: '502 5.5.1 What?' } });
  const url = `${server.url.replace('//', '//jane:secret@')}?tls=required`;
  assert.match(line(await mail({ url })), /^unavailable /);
  assert.equal(
    server.commands.filter((command) => /AUTH|MAIL/.test(command)),
    [],
  );
});

if (hasOpenssl()) {
  const authority = createAuthority();
  test.after(() => {
    authority.close();
  });
  const certificate = authority.make('relay', { names: 'DNS:relay.example.org,IP:127.0.0.1' });
  const foreign = authority.make('foreign', { names: 'DNS:other.example.org' });
  const expired = authority.make('expired', {
    names: 'IP:127.0.0.1',
    from: '20200101000000Z',
    until: '20210101000000Z',
  });
  const trust = [authority.root];

  test('STARTTLS is used if the relay offers it', async () => {
    const server = await smtpServer({ certificate, offers: ['AUTH PLAIN'] });
    const url = `${server.url.replace('//', '//jane:secret@')}?tls=required`;
    assert.is(line(await mail({ url, trust })), 'delivered 250');
    assert.equal(
      server.commands.map((command) => command.split(' ')[1]),
      ['EHLO', 'STARTTLS', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA'],
    );
  });

  test('the relay URL decides whether TLS is used, not the relay', async () => {
    const server = await smtpServer({ certificate });
    assert.is(line(await mail({ url: `${server.url}?tls=none` })), 'delivered 250');
    assert.not.ok(server.commands.some((command) => command.includes('STARTTLS')));
  });

  for (const [what, served, sentence] of [
    ['of an authority that is not trusted', certificate, /certificate/i],
    ['for another host', foreign, /does not match certificate|altnames/],
    ['that has expired', expired, /expired/],
  ] as const) {
    test(`a relay with a certificate ${what} is unavailable, and receives no password or message`, async () => {
      const server = await smtpServer({ certificate: served, offers: ['AUTH PLAIN'] });
      const url = `${server.url.replace('//', '//jane:secret@')}?tls=required`;
      const outcome = named(server, await mail({ url, ...(served !== certificate && { trust }) }));
      assert.match(outcome, /^unavailable tls null: TLS with RELAY failed: /);
      assert.match(outcome, sentence);
      assert.not.ok(server.commands.some((command) => /AUTH|MAIL/.test(command)));
    });
  }

  test('a relay can use TLS from the beginning of a connection', async () => {
    const seen: string[] = [];
    const server = await rawTlsServer(certificate, (socket) => {
      socket.write('220 relay\r\n');
      socket.on('data', (chunk: Buffer) => {
        for (const command of chunk.toString().trim().split('\r\n')) {
          seen.push(command);
          if (command === 'DATA') socket.write('354 Go on\r\n');
          else if (/^(EHLO|MAIL|RCPT|\.)/.test(command)) socket.write('250 Ok\r\n');
        }
      });
    });
    const url = `smtps://127.0.0.1:${server.port}`;
    assert.is(line(await mail({ url, trust })), 'delivered 250');
    assert.match(line(await mail({ url })), /^unavailable tls null: Certificate chain is incomplete or not trusted/);
  });

  test('a relay that does not start with TLS is unavailable if its URL requires that', async () => {
    const server = await smtpServer();
    const outcome = line(await mail({ url: server.url.replace('smtp:', 'smtps:'), trust }));
    assert.match(outcome, /^unavailable tls null: .* does not speak TLS\.$/);
  });
} else {
  console.log('skipped: openssl is not installed');
}

test('a relay that needs more than 90 seconds to open a session is unavailable', async () => {
  for (const phase of ['GREETING', 'EHLO', 'STARTTLS', 'AUTH'] as const) {
    const clock = fakeClock(Date.parse('2026-11-20T15:00:00Z'));
    const reached = { phase: false };
    const server = await smtpServer({
      offers: ['AUTH PLAIN'],
      ...(phase === 'STARTTLS' && { offers: ['STARTTLS', 'AUTH PLAIN'] }),
      answers: {
        [phase]: () => {
          reached.phase = true;
        },
      },
    });
    const url = `${server.url.replace('//', '//jane:secret@')}${phase === 'STARTTLS' ? '?tls=required' : ''}`;
    const sending = mail({ url, clock });
    await eventually(() => reached.phase);
    await clock.advance(89_000);
    await clock.advance(1_000);
    assert.is(
      named(server, await sending),
      'unavailable timeout null: There was no session with RELAY within 90 s.',
      phase,
    );
    assert.is(clock.pending(), 0);
  }
});

test('a relay has ten minutes to accept a message', async () => {
  for (const phase of ['MAIL', 'RCPT', 'DATA', '.'] as const) {
    const clock = fakeClock(Date.parse('2026-11-20T15:00:00Z'));
    const reached = { phase: false };
    const server = await smtpServer({
      answers: {
        [phase]: () => {
          reached.phase = true;
        },
      },
    });
    let ended = false;
    const sending = mail({ ...server, clock }).finally(() => {
      ended = true;
    });
    await eventually(() => reached.phase);
    await clock.advance(599_000);
    assert.not(ended, phase);
    await clock.advance(1_000);
    assert.is(
      named(server, await sending),
      'again timeout null: RELAY did not confirm within 600 s that it accepts the message.',
      phase,
    );
    assert.is(clock.pending(), 0);
  }
});

test('a relay that never completes a response is unavailable after 90 seconds', async () => {
  const clock = fakeClock(Date.parse('2026-11-20T15:00:00Z'));
  let lines = 0;
  const server = await smtpServer({
    answers: {
      GREETING: (socket) => {
        for (; lines < 100; lines++) socket.write('220-wait\r\n');
      },
    },
  });
  const sending = mail({ ...server, clock });
  await eventually(() => lines === 100);
  await clock.advance(90_000);
  assert.match(line(await sending), /^unavailable timeout/);
});

test('a relay that sends far too much data is unavailable', async () => {
  const endless: Reaction = (socket) => socket.write(`220-${'x'.repeat(50_000)}\r\n`.repeat(50));
  assert.is(await where('GREETING', endless), 'unavailable protocol null: RELAY does not speak SMTP as it should.');
  const oneLine: Reaction = (socket) => socket.write('2'.repeat(1_000_000));
  assert.is(await where('GREETING', oneLine), 'unavailable protocol null: RELAY does not speak SMTP as it should.');
});

test('sending through a relay is aborted when the service stops', async () => {
  for (const phase of ['GREETING', 'RCPT', '.'] as const) {
    const reached = { phase: false };
    const server = await smtpServer({
      answers: {
        [phase]: () => {
          reached.phase = true;
        },
      },
    });
    const stopping = new AbortController();
    const sending = mail(server, {}, undefined, stopping.signal);
    await eventually(() => reached.phase);
    const reason = new Error('The service stops.');
    stopping.abort(reason);
    await sending.then(
      () => {
        assert.unreachable();
      },
      (error: unknown) => {
        assert.is(error, reason);
      },
    );
  }
});

test('sessions with a relay are reused for up to a hundred messages each', async () => {
  const server = await smtpServer({ offers: ['PIPELINING'] });
  const email = emailBy({ url: `${server.url}?connections=2` });
  const send = () => email.send(MESSAGE, { address: 'jane@example.com' }, { signal: new AbortController().signal });
  const sent = await Promise.all(Array.from({ length: 250 }, send));
  assert.ok(sent.every(({ status }) => status === 'delivered'));
  assert.is(server.messages.length, 250);
  assert.is(server.sessions(), 4);
  const perSession = new Map<string, number>();
  for (const command of server.commands.filter((text) => text.endsWith(' DATA'))) {
    const session = command.split(' ')[0] ?? '';
    perSession.set(session, (perSession.get(session) ?? 0) + 1);
  }
  assert.ok([...perSession.values()].every((count) => count <= 100));
});

test('a message is sent through a new session if the relay has ended the previous session', async () => {
  for (const end of [drop, (socket: Parameters<typeof drop>[0]) => socket.end('421 4.4.2 Idle for too long\r\n')]) {
    const server = await smtpServer({
      onCommand: (command, session) => (session === 1 && command.startsWith('MAIL') && taken > 0 ? end : undefined),
    });
    let taken = 0;
    const email = emailBy({ url: `${server.url}?connections=1` });
    const send = () => email.send(MESSAGE, { address: 'jane@example.com' }, { signal: new AbortController().signal });
    assert.is(line(await send()), 'delivered 250');
    taken = 1;
    assert.is(line(await send()), 'delivered 250');
    assert.is(server.sessions(), 2);
    assert.is(server.messages.length, 2);
  }
});

test('a relay that ends a session and refuses a new one is unavailable', async () => {
  for (const greeting of ['554 5.7.1 Go away', '421 4.3.2 Shutting down']) {
    let taken = 0;
    const server = await smtpServer({
      onCommand: (command, session) => {
        if (session === 1) return command.startsWith('MAIL') && taken > 0 ? drop : undefined;
        return command === 'GREETING' ? greeting : undefined;
      },
    });
    const email = emailBy({ url: `${server.url}?connections=1` });
    const send = () => email.send(MESSAGE, { address: 'jane@example.com' }, { signal: new AbortController().signal });
    assert.is(line(await send()), 'delivered 250');
    taken = 1;
    assert.match(line(await send()), /^unavailable (greeting|closing) /);
  }
});

test("a relay that can't be reached within 30 seconds is unavailable", async () => {
  const clock = fakeClock(Date.parse('2026-11-20T15:00:00Z'));
  let isResolving = false;
  const email = createEmail({
    clock,
    resolve: () => {
      isResolving = true;
      return new Promise(() => undefined);
    },
    relay: relayOf('smtp://mail.example.org'),
    from: FROM,
    mac,
  });
  const sending = email.send(MESSAGE, { address: 'jane@example.com' }, { signal: new AbortController().signal });
  await eventually(() => isResolving);
  await clock.advance(30_000);
  assert.is(
    line(await sending),
    'unavailable timeout null: There was no session with mail.example.org:25 within 30 s.',
  );
});

test('error messages about a relay contain no recipient addresses and no text of the relay', async () => {
  const address = 'jane.doe@example.com';
  for (const phase of PHASES) {
    const server = await smtpServer({ answers: { [phase]: `554 5.7.1 <${address}> jane.doe secret` } });
    const world: World = { url: server.url };
    const sent = await mail(world, {}, address);
    if (sent.status !== 'delivered') assert.not.match(sent.error_message, /jane|secret|@/);
  }
});

test.run();
