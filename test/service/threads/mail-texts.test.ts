import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { composeMail, mailTemplate } from '../../../messages/mail/compose.ts';
import { mailTextsOf, renderTexts, unformattedTexts, type MailTexts } from '../../../messages/mail/texts.ts';
import { createTextRenderer } from '../../../service/threads/mail-texts.ts';
import { HOSTILE, PATHOLOGICAL } from '../../messages/markdown-samples.ts';
import { noticeOf, plainPage } from '../../messages/notices.ts';

const test = suite('the texts of e-mails');

const LONG = '- a **word**\n\n'.repeat(1_000);
const page = { ...plainPage, notifications_email_footer: '*Acme*, https://acme.example' };
const textsOf = (postmortem: string): MailTexts => mailTextsOf(noticeOf('postmortem.published', { page, postmortem }));

test('the texts of e-mails that a thread has rendered are the same as those rendered directly', async () => {
  const render = createTextRenderer();
  for (const text of ['**short**', LONG]) assert.equal(await render(textsOf(text)), renderTexts(textsOf(text)));
});

test('the texts of an e-mail are rendered once for all recipients, and e-mails are rendered one at a time', async () => {
  const begun: string[] = [];
  let underWay = 0;
  const render = createTextRenderer({
    elsewhere: async (texts) => {
      underWay += 1;
      begun.push(texts.body.markdown.slice(0, 1));
      await new Promise(setImmediate);
      assert.is(underWay, 1);
      underWay -= 1;
      return renderTexts(texts);
    },
  });
  const texts = ['a', 'b', 'a', 'b', 'a'].map((name) => textsOf(name + LONG));
  const rendered = await Promise.all(texts.map(render));
  assert.equal(begun, ['a', 'b']);
  assert.is(rendered[0], rendered[4]);
  await render(textsOf('short'));
  assert.is(begun.length, 2);
});

test('the texts of an e-mail are sent unformatted if they cannot be rendered in time', async () => {
  const asWritten = unformattedTexts(textsOf(LONG));
  const endless = createTextRenderer({
    timeLimitMs: 1,
    elsewhere: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('It took too long.'));
        });
      }),
  });
  const failing = createTextRenderer({ elsewhere: () => Promise.reject(new Error('No thread.')) });
  for (const render of [endless, failing]) assert.equal(await render(textsOf(LONG)), asWritten);
  assert.match(asWritten.body.html, /^<p style="[^"<>]+">- a \*\*word\*\*<br \/><br \/>- a/);
  assert.is(asWritten.body.text, LONG.trim());
});

test('unformatted texts of e-mails are harmless, and fit into an e-mail', () => {
  for (const text of [...Object.values(HOSTILE), ...Object.values(PATHOLOGICAL), '"'.repeat(50_000)]) {
    const notice = noticeOf('postmortem.published', { page, postmortem: text });
    const { html } = unformattedTexts(mailTextsOf(notice)).body;
    assert.not.match(html.replace(/^<p style="[^"<>]*">|<br \/>|<\/p>\n$/g, ''), /[<>"]/);
    const mail = mailTemplate(notice, unformattedTexts(mailTextsOf(notice)))(null);
    assert.ok(Buffer.byteLength(mail.html) < 102 * 1024);
  }
});

test('the texts that are rendered for an e-mail equal those in the composed e-mail', () => {
  const notice = noticeOf('postmortem.published', { page, postmortem: LONG });
  assert.equal(mailTemplate(notice, renderTexts(mailTextsOf(notice)))(notice.unsubscribe_url), composeMail(notice));
});

test.run();
