import sanitizeHtml from 'sanitize-html';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NOTICE_EVENTS } from '../../domain/mailing/notice-event.ts';
import { composeConfirmation } from '../../messages/confirmation.ts';
import { linkable } from '../../messages/links.ts';
import { composeMail, mailTemplate } from '../../messages/mail/compose.ts';
import type { NoticePage } from '../../messages/notice.ts';
import { HOSTILE, PATHOLOGICAL } from './markdown-samples.ts';
import { noticeOf, plainPage, tealPage } from './notices.ts';

const test = suite('e-mails about events');

/** Maximum size of an e-mail in bytes. Gmail hides everything beyond this size. */
const MOST_BYTES = 102_000;

test('an e-mail that is completed from a shared template equals an e-mail that is composed for the recipient alone', () => {
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

test('the subject of an e-mail says what happened', () => {
  const subjects = NOTICE_EVENTS.map((event) => composeMail(noticeOf(event)).subject);
  assert.equal(subjects, [
    '[Acme Cloud] Investigating: Database is slow',
    '[Acme Cloud] Identified: Database is slow',
    '[Acme Cloud] Resolved: Database is slow',
    '[Acme Cloud] Maintenance reminder: Upgrade of the storage',
    '[Acme Cloud] Maintenance started: Upgrade of the storage',
    '[Acme Cloud] Maintenance completed: Upgrade of the storage',
    '[Acme Cloud] Postmortem: Database is slow',
    '[Acme Cloud] Partial outage: API',
  ]);
  const { incident } = noticeOf('maintenance.started');
  for (const [event, words] of [
    ['incident.created', 'Scheduled maintenance'],
    ['incident.updated', 'Maintenance update'],
  ] as const) {
    assert.is(composeMail(noticeOf(event, { incident })).subject, `[Acme Cloud] ${words}: Upgrade of the storage`);
  }
});

test('the subject of an e-mail is one line of a reasonable length', () => {
  const named = (pageName: string, name: string): string => {
    const notice = noticeOf('incident.created', { page: { ...plainPage, name: pageName } });
    return composeMail({ ...notice, incident: notice.incident && { ...notice.incident, name } }).subject;
  };
  assert.is(
    named('Acme\r\nBcc: victim@x.example', 'Slow\u2028down\r\n\r\n<script>\u202egpj\0'),
    '[Acme Bcc: victim@x.example] Investigating: Slow down <script>gpj',
  );
  const long = named('p'.repeat(100), 'n'.repeat(200));
  assert.is(long.length, 150);
  assert.ok(long.endsWith('n…'));
  // Grapheme clusters are not split.
  const family = named('x', '👨‍👩‍👧‍👦'.repeat(200));
  assert.ok(family.endsWith('👨‍👩‍👧‍👦…'), family);
  assert.not.match(named('x', `${'n'.repeat(148)}\ud83d`), /\p{Surrogate}/u);
});

test('an e-mail shows the time of a maintenance in the time zone of the page', () => {
  const timeLine = (time_zone: string, from: string, until: string | null, language = 'en'): string => {
    const notice = noticeOf('maintenance.reminder', { page: { ...plainPage, time_zone, language } });
    const incident = notice.incident && { ...notice.incident, scheduled_for: from, scheduled_until: until };
    const { text, html } = composeMail({ ...notice, incident });
    const line = text.split('\n').find((each) => /^(Scheduled|Geplant|Prévue|Programado|Время)/.test(each)) ?? '';
    assert.ok(html.includes(line.replace(/^[^:]*: /, '')), line);
    return line;
  };
  const [from, until] = ['2026-11-21T21:00:00.000000', '2026-11-21T22:30:00.000000'];
  assert.is(timeLine('UTC', from, until), 'Scheduled for: Nov 21, 2026, 21:00 – 22:30 UTC');
  assert.is(timeLine('America/New_York', from, until), 'Scheduled for: Nov 21, 2026, 16:00 – 17:30 EST');
  assert.is(timeLine('Asia/Kolkata', from, null), 'Scheduled for: Nov 22, 2026, 02:30 UTC+5:30');
  assert.is(
    timeLine('Europe/London', from, '2026-11-22T01:00:00.000000'),
    'Scheduled for: Nov 21, 2026, 21:00 GMT – Nov 22, 2026, 01:00 GMT',
  );
  assert.is(timeLine('Europe/Berlin', from, until, 'de'), 'Geplant für: 21. November 2026, 22:00 – 23:30 Uhr MEZ');
  assert.is(timeLine('Europe/Moscow', from, until, 'ru'), 'Время работ: 22 ноября 2026 г., 00:00 – 01:30 UTC+3');
  assert.is(
    timeLine('Europe/Madrid', from, until, 'es'),
    'Programado para: 21 de noviembre de 2026, de 22:00 a 23:30 CET',
  );
  assert.is(timeLine('Europe/Paris', from, until, 'fr'), 'Prévue le\u00a0: 21 novembre 2026, de 22:00 à 23:30 UTC+1');
  // Summer time ends between these two times, so each has its own zone name.
  assert.is(
    timeLine('Europe/Berlin', '2026-10-25T00:30:00.000000', '2026-10-25T01:30:00.000000'),
    'Scheduled for: Oct 25, 2026, 02:30 CEST – Oct 25, 2026, 02:30 CET',
  );
  assert.is(timeLine('Mars/Olympus', from, null), 'Scheduled for: Nov 21, 2026, 21:00 UTC');
});

/** Returns all elements of a document with their attributes. */
const elementsOf = (html: string): { name: string; attributes: Record<string, string> }[] => {
  const found: { name: string; attributes: Record<string, string> }[] = [];
  sanitizeHtml(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    onOpenTag: (name, attributes) => found.push({ name, attributes }),
  });
  return found;
};

const ELEMENTS = new Set(
  'html head meta title style body div table tr td th thead tbody h1 h2 h3 h4 h5 h6 p span a img br hr ul ol li pre code em strong del blockquote'.split(
    ' ',
  ),
);

/** Fails if a message contains anything but text, images of the given logos, and links to web URLs and addresses. */
const isHarmless = (html: string, logos: readonly string[]): void => {
  for (const { name, attributes } of elementsOf(html)) {
    assert.ok(ELEMENTS.has(name), name);
    for (const [attribute, value] of Object.entries(attributes)) {
      assert.ok(!attribute.startsWith('on'), attribute);
      if (attribute === 'style') assert.not.match(value, /url\(|expression|@import|[<>{}]/i);
      if (attribute === 'href') assert.match(value, /^(https?:\/\/|mailto:)[^\s"'<>]+$/);
      if (attribute === 'src') assert.ok(logos.includes(value), value);
    }
  }
  assert.not.match(html, /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
};

test('an e-mail shows data of pages, incidents and components only as text, logo or link', () => {
  for (const harm of [...Object.values(HOSTILE), '"><script>alert(1)</script>', "' onmouseover='alert(1)", '-->']) {
    const page: NoticePage = {
      ...plainPage,
      name: harm,
      url: `https://status.acme.example/${harm}`,
      support_url: harm,
      email_logo: `https://cdn.acme.example/${harm}`,
      company_logo: harm,
      notifications_email_footer: harm,
      css_body_background_color: harm,
      css_font_color: `red;background:url(https://evil.example/)`,
      css_link_color: '#fff"><script>',
    };
    const notice = noticeOf('incident.updated', {
      page,
      body: harm,
      components: [{ id: '1', name: harm, status: 'major_outage' }],
    });
    const logo = linkable(page.email_logo ?? '') ?? '';
    const { html, text } = composeMail({ ...notice, incident: notice.incident && { ...notice.incident, name: harm } });
    isHarmless(html, [logo]);
    assert.not.match(text, /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    isHarmless(composeConfirmation({ page, confirmUrl: 'https://x.example/c', validUntil: null }).html, [logo]);
  }
});

test('an e-mail shows the logo for e-mails, or the company logo if there is none, or otherwise the page name', () => {
  const shown = (page: Partial<NoticePage>): string | undefined =>
    elementsOf(composeMail(noticeOf('incident.created', { page: { ...plainPage, ...page } })).html).find(
      ({ name }) => name === 'img',
    )?.attributes.src;
  const [email_logo, company_logo] = ['https://cdn.acme.example/mail.png', 'http://cdn.acme.example/company.png'];
  assert.is(shown({ email_logo, company_logo }), email_logo);
  assert.is(shown({ company_logo }), company_logo);
  assert.is(shown({}), undefined);
  assert.is(shown({ email_logo: 'data:image/png;base64,AAAA' }), undefined);
});

test('an e-mail is truncated to the size that mail programs show, and links to the whole text', () => {
  const name = '<&">'.repeat(25);
  const components = Array.from({ length: 1_000 }, () => ({ id: '1', name, status: 'major_outage' }) as const);
  const footer = { notifications_email_footer: '- &\n'.repeat(2_500) };
  for (const body of ['&', '- a\n', '|a', 'ы', '[a](https://a.example) ', '👍', '# a\n'].map((part) =>
    part.repeat(25_000).slice(0, 25_000),
  )) {
    const page = { ...tealPage, ...footer };
    const { html, text } = composeMail(noticeOf('incident.created', { page, body, components }));
    assert.ok(Buffer.byteLength(html) < MOST_BYTES, `${body.slice(0, 10)}: ${Buffer.byteLength(html)}`);
    assert.match(html, 'and 975 more components');
    assert.match(text, 'and 975 more components');
  }
  const body = 'A sentence with words. '.repeat(1_080).trim();
  const cut = composeMail(noticeOf('postmortem.published', { postmortem: '- a\n\n  b\n'.repeat(2_700) }));
  assert.match(cut.html, 'This text has been shortened. Read all of it on the status page:');
  const homeless = { ...plainPage, url: null };
  const without = composeMail(
    noticeOf('postmortem.published', { page: homeless, postmortem: '- a\n\n  b\n'.repeat(2_700) }),
  );
  assert.match(without.html, 'This text has been shortened.</p>');
  assert.not.match(composeMail(noticeOf('incident.updated', { body })).html, 'shortened');
});

test('an e-mail with texts that are hard to parse stays below the size that mail programs show', () => {
  // Texts that repeat one piece are left out here, because the tests of Markdown render them.
  for (const [name, body] of Object.entries(PATHOLOGICAL).filter(([key]) => !key.startsWith('"'))) {
    const { html } = composeMail(noticeOf('incident.updated', { body }));
    assert.ok(Buffer.byteLength(html) < MOST_BYTES, name);
  }
});

test('an e-mail has a preview line that contains its text without markup', () => {
  const { html } = composeMail(
    noticeOf('incident.updated', { body: '**We** found [it](https://x.example).\n\nMore.' }),
  );
  assert.match(html, /<div style="display:none[^"]*">We found it \(https:\/\/x\.example\)\. More\.&#8199;/);
});

test.run();
