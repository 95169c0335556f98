import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isLoopback, relayOf } from '../../../notifiers/email/relay.ts';

const test = suite('the URL of a mail relay');

/** Formats a relay on one line: its host, port, TLS mode, user and password, and number of connections. */
const line = (url: string): string => {
  const { host, port, tls, auth, connections } = relayOf(url);
  return `${host} ${port} ${tls} ${auth ? `${auth.user}/${auth.password}` : '-'} ${connections}`;
};

test('a relay URL contains the host of the relay, and its port is optional', () => {
  assert.is(line('smtp://mail.example.org'), 'mail.example.org 25 offered - 5');
  assert.is(line('smtp://mail.example.org:2525/'), 'mail.example.org 2525 offered - 5');
  assert.is(line('smtps://mail.example.org'), 'mail.example.org 465 implicit - 5');
  assert.is(line('smtp://jane:secret@mail.example.org'), 'mail.example.org 587 required jane/secret 5');
  assert.is(line('smtps://jane:secret@mail.example.org'), 'mail.example.org 465 implicit jane/secret 5');
});

test('a relay URL can contain an IP address or a host name in another script', () => {
  assert.is(line('smtp://192.0.2.1:587'), '192.0.2.1 587 offered - 5');
  assert.is(line('smtp://[2001:db8::1]'), '2001:db8::1 25 offered - 5');
  assert.is(line('smtp://bücher.example'), 'xn--bcher-kva.example 25 offered - 5');
});

test('a relay URL can require or disable STARTTLS, which is optional by default for a relay on this machine', () => {
  assert.is(line('smtp://mail.example.org?tls=required'), 'mail.example.org 25 required - 5');
  assert.is(line('smtp://mail.example.org?tls=none'), 'mail.example.org 25 none - 5');
  assert.is(line('smtp://jane:secret@mail?tls=none'), 'mail 587 none jane/secret 5');
  assert.is(line('smtp://localhost'), 'localhost 25 none - 5');
  assert.is(line('smtp://jane:secret@127.0.0.1'), '127.0.0.1 587 none jane/secret 5');
  assert.is(line('smtp://[::1]?tls=offered'), '::1 25 offered - 5');
});

test('a relay URL can limit the number of connections', () => {
  assert.is(line('smtp://mail?connections=1'), 'mail 25 offered - 1');
  assert.is(line('smtp://mail?tls=none&connections=10'), 'mail 25 none - 10');
});

test('the password in a relay URL is decoded', () => {
  assert.is(
    line('smtp://jane%40example.org:a%2Fb%23c%3Fd%20%25@mail'),
    'mail 587 required jane@example.org/a/b#c?d % 5',
  );
});

for (const [url, sentence] of [
  ['mail.example.org', /must be a URL such as/],
  ['http://mail.example.org', /must be a URL such as/],
  ['smtp:mail.example.org', /must be a URL such as/],
  ['smtp:///mail', /must be a URL such as/],
  ['smtp://', /must be a URL such as/],
  ['smtp://mail:99999', /must be a URL such as/],
  ['smtp://mail/inbox', /neither a path nor a fragment/],
  ['smtp://jane:sec/ret@mail', /./],
  ['smtp://jane:sec#ret@mail', /./],
  ['smtp://jane@mail', /both a user and a password/],
  ['smtp://:secret@mail', /both a user and a password/],
  ['smtp://jane:sec%ret@mail', /% itself is written %25/],
  ['smtp://mail?tls=maybe', /one of required, offered, none as tls/],
  ['smtp://mail?pool=true', /no parameters but tls and connections/],
  ['smtp://mail?connections=0', /from 1 to 10 as connections/],
  ['smtp://mail?connections=11', /from 1 to 10 as connections/],
  ['smtps://mail?tls=required', /takes no tls=/],
  ['smtp://jane:secret@mail?tls=offered', /tls=offered would not protect/],
] as const) {
  test(`the relay URL ${url} is refused with an error message that does not contain the password`, () => {
    const refuse = (): unknown => relayOf(url);
    assert.throws(refuse, sentence);
    assert.not.throws(() => {
      try {
        refuse();
      } catch (error) {
        if (/jane|secret\b|sec%ret|sec\/ret/.test((error as Error).message)) throw error;
      }
    });
  });
}

test('loopback is recognised by its addresses and names', () => {
  for (const host of ['localhost', 'LOCALHOST', 'mail.localhost', '127.0.0.1', '127.9.9.9', '::1']) {
    assert.ok(isLoopback(host), host);
  }
  for (const host of ['localhost.example.org', '128.0.0.1', '::2', 'mail', '127.0.0.1.example.org']) {
    assert.not(isLoopback(host), host);
  }
});

test.run();
