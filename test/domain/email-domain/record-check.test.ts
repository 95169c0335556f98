import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Purpose } from '../../../domain/email-domain/events.ts';
import { judgeRecord } from '../../../domain/email-domain/record-check.ts';
import { recordsOf, spfFor } from '../../../domain/email-domain/records.ts';
import { configured } from './examples.ts';

const test = suite('the records of an e-mail domain');

const { data } = configured();
const records = recordsOf(data);

const outcomeOf = (purpose: Purpose, ...texts: string[]) => {
  const wanted = records.find((record) => record.purpose === purpose);
  if (!wanted) throw new Error('There is no such record.');
  const { outcome, problem } = judgeRecord(wanted, { known: true, texts });
  return outcome === 'found' ? outcome : problem;
};

test('DNS records of an e-mail domain have exact names and values', () => {
  assert.equal(records, [
    {
      purpose: 'dkim',
      type: 'TXT',
      name: 'uptrail-k3v9x0q2m7ab._domainkey.example.com',
      value: 'v=DKIM1; k=rsa; p=TUlJQklq',
    },
    { purpose: 'spf', type: 'TXT', name: 'example.com', value: 'v=spf1 include:mail.example.org ~all' },
    { purpose: 'dmarc', type: 'TXT', name: '_dmarc.example.com', value: 'v=DMARC1; p=none' },
    { purpose: 'ownership', type: 'TXT', name: '_uptrail.example.com', value: 'uptrail-verification=token' },
  ]);
  assert.is(spfFor('example.com', 'example.com'), 'v=spf1 mx ~all');
  assert.is(spfFor('example.com', null), 'v=spf1 mx ~all');
});

test('the suggested DNS records of an e-mail domain are recognized', () => {
  for (const { purpose, value } of records) assert.is(outcomeOf(purpose, value), 'found', purpose);
});

test('a missing DNS record of an e-mail domain counts as wrong', () => {
  for (const { purpose } of records) assert.match(outcomeOf(purpose) ?? '', /^There is no .*example\.com\.$/);
  for (const { purpose } of records) assert.match(outcomeOf(purpose, '', 'hello', '=;=') ?? '', /^There is no /);
});

test("the DNS records of an e-mail domain are unknown if they can't be looked up", () => {
  for (const record of records) {
    const finding = judgeRecord(record, { known: false, reason: 'No answer.' });
    assert.equal(finding, { purpose: record.purpose, outcome: 'unknown', problem: 'No answer.' });
  }
});

test('a DKIM record may have spaces anywhere, tags in any order and harmless further tags', () => {
  const fine = [
    'v=DKIM1;k=rsa;p=TUlJQklq',
    ' v = DKIM1 ; p = TUlJ Qklq ; ',
    'p=TUlJQklq',
    'v=DKIM1; h=sha1:sha256; s=email:other; t=s; n=note; p=TUl\r\n\tJQklq',
    'v=DKIM1; s=*; p=TUlJQklq; k=RSA',
  ];
  for (const text of fine) assert.is(outcomeOf('dkim', text), 'found', text);
  assert.is(outcomeOf('dkim', 'v=spf1 -all', 'v=DKIM1; p=TUlJQklq'), 'found', 'a wildcard beside it');
});

test('a DKIM record is wrong with another, revoked or duplicate key or for another service', () => {
  const at = 'uptrail-k3v9x0q2m7ab._domainkey.example.com';
  assert.is(outcomeOf('dkim', 'v=DKIM1; p=AAAA'), `The key at ${at} is not the expected key.`);
  assert.is(outcomeOf('dkim', 'v=DKIM1; k=rsa; p='), `The key at ${at} is revoked: p= is empty.`);
  assert.is(
    outcomeOf('dkim', 'v=DKIM1; p=TUlJQklq', 'p=AAAA'),
    `There are 2 DKIM records at ${at}, but only one is allowed.`,
  );
  assert.is(outcomeOf('dkim', 'v=DKIM1; k=ed25519; p=TUlJQklq'), `The record at ${at} must have k=rsa.`);
  assert.is(outcomeOf('dkim', 'v=DKIM1; h=sha1; p=TUlJQklq'), `The record at ${at} does not allow sha256 (h=).`);
  assert.is(outcomeOf('dkim', 'v=DKIM1; s=other; p=TUlJQklq'), `The record at ${at} does not allow e-mail (s=).`);
  assert.is(outcomeOf('dkim', 'v=DMARC1; p=none'), `There is no such TXT record at ${at}.`);
  assert.is(outcomeOf('dkim', 'v=DKIM1; p=tuljqklq'), `The key at ${at} is not the expected key.`);
  assert.is(outcomeOf('dkim', 'v=DKIM1; p=AAAA; p=TUlJQklq'), `The key at ${at} is not the expected key.`);
});

test('an SPF record may allow further servers, but must include the servers of MAIL_FROM and be the only SPF record', () => {
  for (const text of ['v=spf1 a mx include:mail.example.org -all', 'V=SPF1 +include:MAIL.example.org ?all']) {
    assert.is(outcomeOf('spf', text, 'google-site-verification=x'), 'found', text);
  }
  assert.is(outcomeOf('spf', 'v=spf1 -all'), 'The SPF record at example.com does not have include:mail.example.org.');
  assert.is(outcomeOf('spf', 'v=spf10 include:mail.example.org'), 'There is no SPF record at example.com.');
  const two = outcomeOf('spf', 'v=spf1 include:mail.example.org ~all', 'v=spf1 -all');
  assert.is(two, 'There are 2 SPF records at example.com, but only one is allowed.');
});

test('a DMARC record may have any policy, but must be the only DMARC record', () => {
  assert.is(outcomeOf('dmarc', 'v=DMARC1;p=reject;rua=mailto:a@example.com'), 'found');
  assert.is(
    outcomeOf('dmarc', 'v=DMARC1; rua=mailto:a@example.com'),
    'The DMARC record at _dmarc.example.com has no policy (p=).',
  );
  assert.match(outcomeOf('dmarc', 'v=DMARC1; p=none', 'v=DMARC1; p=none') ?? '', /^There are 2 DMARC records/);
});

test('each page proves the ownership of an e-mail domain with its own record, next to the records of other pages', () => {
  assert.is(outcomeOf('ownership', 'uptrail-verification=another', ' uptrail-verification=token '), 'found');
  assert.is.not(outcomeOf('ownership', 'uptrail-verification=another'), 'found');
  assert.is.not(outcomeOf('ownership', 'uptrail-verification=Token'), 'found');
  assert.is.not(outcomeOf('ownership', 'x uptrail-verification=token'), 'found');
});

test('long and unusual DNS records are evaluated in bounded time', () => {
  const long = `${'v=DKIM1; p='.repeat(3_000)}${' '.repeat(30_000)};${'='.repeat(3_000)}`;
  for (const { purpose } of records) outcomeOf(purpose, long, ...Array.from({ length: 500 }, () => 'v=spf1'));
});

test.run();
