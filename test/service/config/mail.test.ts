import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigurationError, readConfig } from '../../../service/config/config.ts';
import { emailPart } from '../../../service/notifiers.ts';

const test = suite('the configuration of e-mail');

const refused = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  return '';
};

test('the default mail server is on this machine', () => {
  const { smtpUrl } = readConfig({});
  assert.equal(smtpUrl, { host: 'localhost', port: 25, tls: 'none', auth: null, connections: 5 });
  assert.is(readConfig({ SMTP_URL: 'smtps://mail.example.org' }).smtpUrl.host, 'mail.example.org');
});

test('an error about the mail configuration names the variable, and never contains a password', () => {
  const sentence = refused({ SMTP_URL: 'smtp://jane:secret@mail.example.org/x' });
  assert.match(sentence, /^SMTP_URL must have neither a path nor a fragment/);
  assert.not.match(sentence, /secret/);
});

test('the configuration accepts a sender address with or without a name', () => {
  const { name, address } = readConfig({ MAIL_FROM: 'Acme Status <status@Bücher.example>' }).mailFrom ?? {};
  assert.equal([name, address], ['Acme Status', 'status@xn--bcher-kva.example']);
  assert.is(readConfig({ MAIL_FROM: 'status@localhost' }).mailFrom?.address, 'status@localhost');
  for (const wrong of ['status', 'a@b@c', 'Acme <status@example.org', 'jürgen@example.org', '"a b"@example.org']) {
    assert.match(refused({ MAIL_FROM: wrong }), /^MAIL_FROM must be an e-mail address such as /, wrong);
  }
  assert.is(refused({ MAIL_FROM: `${'x'.repeat(34)}@example.org` }), '');
  assert.is(
    refused({ MAIL_FROM: `${'x'.repeat(35)}@example.org` }),
    'MAIL_FROM must have at most 34 characters before the @.',
  );
});

test('the health of the service shows whether e-mail is sent', () => {
  const MAIL_FROM = 'status@example.org';
  const PUBLIC_URL = 'https://status.example.org';
  const off = {
    name: 'e-mail',
    ready: true,
    state: 'off',
    lag_seconds: null,
    message: 'E-mail is off: set MAIL_FROM and PUBLIC_URL.',
  };
  assert.equal(emailPart(readConfig({})), off);
  assert.equal(emailPart(readConfig({ MAIL_FROM })), off);
  assert.equal(emailPart(readConfig({ PUBLIC_URL })), off);
  assert.equal(emailPart(readConfig({ MAIL_FROM, PUBLIC_URL })), { ...off, state: 'on', message: null });
});

test.run();
