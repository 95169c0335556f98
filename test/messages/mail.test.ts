import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { composeMail, mailTemplate } from '../../messages/mail/compose.ts';
import { NOTICE_EVENTS } from '../../domain/mailing/notice-event.ts';
import { noticeOf } from './notices.ts';

const test = suite('an e-mail about an event');

test('is the same whether it is made alone or from the text that all receivers share', () => {
  for (const event of NOTICE_EVENTS) {
    const { unsubscribe_url: url, ...shared } = noticeOf(event);
    const mailFor = mailTemplate(shared);
    assert.equal(mailFor(url), composeMail(noticeOf(event)));
    assert.equal(mailFor(null), composeMail(noticeOf(event, { unsubscribe_url: null })));
    const [one, other] = [mailFor('https://x.example/?a=1&b="1"'), mailFor('https://x.example/2')];
    assert.match(one.text, 'Unsubscribe: https://x.example/?a=1&b="1"');
    assert.match(one.html, 'href="https://x.example/?a=1&amp;b=&quot;1&quot;"');
    assert.match(other.text, 'Unsubscribe: https://x.example/2');
    assert.not.match(mailFor(null).html, 'Unsubscribe');
  }
});

test.run();
