import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NOTICE_EVENTS } from '../../domain/mailing/notice-event.ts';
import { composeConfirmation } from '../../messages/confirmation.ts';
import type { Notice } from '../../messages/notice.ts';
import { composeSms } from '../../messages/sms/compose.ts';
import { isGsm, partsOf } from '../../messages/sms/parts.ts';
import { PAGE_LANGUAGES } from '../../messages/words/languages.ts';
import { noticeOf, plainPage } from './notices.ts';

const test = suite('SMS messages');

/** An unsubscribe link with the length of real ones. */
const UNSUBSCRIBE = `https://status.acme.example/subscriptions/unsubscribe?token=${'a'.repeat(47)}.${'b'.repeat(43)}`;

const named = (name: string, changed: Partial<Notice> = {}): Notice => {
  const notice = noticeOf('incident.created', { unsubscribe_url: UNSUBSCRIBE, ...changed });
  return { ...notice, incident: notice.incident && { ...notice.incident, name } };
};

test('an SMS says what happened, where to read more, and how to unsubscribe', () => {
  assert.is(
    composeSms(named('Database is slow')),
    `Acme Cloud: Investigating: Database is slow\nhttps://status.acme.example/\nUnsubscribe: ${UNSUBSCRIBE}`,
  );
  assert.is(
    composeSms(noticeOf('maintenance.reminder', { unsubscribe_url: null, page: { ...plainPage, url: null } })),
    'Acme Cloud: Maintenance reminder: Upgrade of the storage (Nov 21, 2026, 22:00 CET)',
  );
});

test('the parts of an SMS are counted as mobile networks count them, with seven or sixteen bits per character', () => {
  assert.equal([partsOf(''), partsOf('a'.repeat(160)), partsOf('a'.repeat(161))], [1, 1, 2]);
  assert.equal([partsOf('a'.repeat(306)), partsOf('a'.repeat(307))], [2, 3]);
  // Characters of the extension table, such as the euro sign, take two septets.
  assert.equal([partsOf('€'.repeat(80)), partsOf('€'.repeat(81))], [1, 2]);
  assert.equal([partsOf('ы'.repeat(70)), partsOf('ы'.repeat(71)), partsOf('ы'.repeat(134))], [1, 2, 2]);
  assert.equal([partsOf('👍'.repeat(35)), partsOf('👍'.repeat(36))], [1, 2]);
});

test('an SMS has at most four parts, and its links are never truncated', () => {
  for (const language of PAGE_LANGUAGES) {
    for (const event of NOTICE_EVENTS) {
      for (const name of ['n'.repeat(200), 'ы'.repeat(200), '👍'.repeat(100), '[€]'.repeat(60)]) {
        const page = { ...plainPage, name: name.slice(0, 100), language };
        const notice = noticeOf(event, { page, unsubscribe_url: UNSUBSCRIBE });
        const text = composeSms({ ...notice, incident: notice.incident && { ...notice.incident, name } });
        assert.ok(partsOf(text) <= 4, `${partsOf(text)} parts: ${text}`);
        assert.ok(text.endsWith(` ${UNSUBSCRIBE}`), text);
      }
    }
  }
});

test('a long SMS omits the link to the page, but not the unsubscribe link', () => {
  const url = `https://status.acme.example/${'a'.repeat(150)}`;
  const text = composeSms(named('Сбой', { page: { ...plainPage, url, language: 'ru' } }));
  assert.ok(partsOf(text) <= 4, text);
  assert.not.match(text, url);
  assert.ok(text.endsWith(` ${UNSUBSCRIBE}`));
});

test('an SMS replaces typographic punctuation, and drops accents if that saves a part', () => {
  assert.is(
    composeSms(named('“Über” – the façade’s déjà vu…', { unsubscribe_url: null })),
    'Acme Cloud: Investigating: "Über" - the façade\'s déjà vu...\nhttps://status.acme.example/'
      .replace('ç', 'c')
      .replace('á', 'a'),
  );
  const spanish = { ...plainPage, language: 'es' };
  assert.ok(isGsm(composeSms(named('Página lenta', { page: spanish }))));
  // Accents remain if the message fits into one part with them.
  assert.match(
    composeSms(named('Añ í', { page: { ...spanish, url: null }, unsubscribe_url: null })),
    'En investigación: Añ í',
  );
  assert.not.ok(isGsm(composeSms(named('Сбой'))));
});

test('an SMS consists of one line and its links even if a name contains line breaks', () => {
  const text = composeSms(named('a\r\nb\u2028c\0\u202ed'));
  assert.is(text.split('\n')[0], 'Acme Cloud: Investigating: a b cd');
  assert.is(text.split('\n').length, 3);
});

test('an SMS asks for confirmation of a subscription', () => {
  const { sms } = composeConfirmation({ page: plainPage, confirmUrl: 'https://x.example/c', validUntil: null });
  assert.is(sms, 'Confirm status updates from Acme Cloud:\nhttps://x.example/c');
});

test.run();
