import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseRefusal, refusalSubject } from '../../../domain/mail/refusal.ts';

const test = suite('refusals of mail servers');

const about = (reply: string, of: 'recipient' | 'message' = 'recipient'): string => {
  const refusal = parseRefusal(reply);
  return refusal ? refusalSubject(refusal, of) : 'no refusal';
};

test('the refusal of a mail server is classified by its codes', () => {
  assert.equal(parseRefusal('550-5.1.1 No\n550 5.1.1 such user'), {
    code: 550,
    enhanced: '5.1.1',
    text: '5.1.1 No\n550 5.1.1 such user',
  });
  assert.equal(parseRefusal('421'), { code: 421, enhanced: null, text: '' });
  for (const other of ['', '55', 'Hello', '5500 x', '350 x', '550_x']) assert.is(parseRefusal(other), null, other);
});

for (const [reply, expected] of [
  ['550 5.1.1 <jane@example.com>: User unknown', 'recipient'],
  ['550 5.1.2 Bad domain', 'recipient'],
  ['550 5.1.10 Null MX', 'recipient'],
  ['550 5.2.1 Mailbox disabled', 'recipient'],
  ['550 5.4.1 Recipient address rejected: Access denied', 'recipient'],
  ['550 5.5.0 Requested action not taken: mailbox unavailable', 'recipient'],
  ['550 5.0.0 User unknown', 'recipient'],
  ['550 User unknown', 'recipient'],
  ['551 Not local', 'recipient'],
  ['553 5.3.0 User unknown', 'recipient'],
  ['556 Takes no mail', 'recipient'],
  ['550 5.2.2 Quota', 'mailbox_full'],
  ['552 5.2.2 Quota', 'mailbox_full'],
  ['552 Quota', 'mailbox_full'],
  ['552 5.2.3 Too long', 'too_large'],
  ['552 5.3.4 Too big', 'too_large'],
  ['553 5.1.8 Unknown sender domain', 'refused'],
  ['554 5.3.2 Not now', 'refused'],
  ['554 5.4.6 Loop', 'refused'],
  ['501 5.5.4 Bad parameter', 'refused'],
  ['554 5.6.0 Content', 'refused'],
  ['550 5.7.1 Relaying denied', 'refused'],
  ['550 5.7.26 Unauthenticated', 'refused'],
  ['550 Relaying denied', 'refused'],
  ['550 Blocked: see https://example.org/blacklist', 'refused'],
  ['554 No', 'refused'],
  ['500 What?', 'refused'],
] as const) {
  test(`the subject of the mail refusal "${reply}" is ${expected}`, () => {
    assert.is(about(reply), expected);
  });
}

test('a refusal after the transfer of a message concerns the message unless its code says otherwise', () => {
  assert.is(about('550 No', 'message'), 'refused');
  assert.is(about('552 Too big', 'message'), 'too_large');
  assert.is(about('550 5.1.1 User unknown', 'message'), 'recipient');
  assert.is(about('552 5.2.2 Quota', 'message'), 'mailbox_full');
});

test.run();
