import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NOTICE_EVENTS } from '../../domain/mailing/notice-event.ts';
import { composeConfirmation } from '../../messages/confirmation.ts';
import { composeMail } from '../../messages/mail/compose.ts';
import { composeSms } from '../../messages/sms/compose.ts';
import { wordsFor } from '../../messages/words/index.ts';
import { PAGE_LANGUAGES } from '../../messages/words/languages.ts';
import { noticeOf, plainPage } from './notices.ts';

const test = suite('texts of messages in five languages');

/** Returns all texts of a language with their paths. Functions are called with `@`. */
const textsOf = (words: object, path = ''): [path: string, text: string][] =>
  Object.entries(words).flatMap(([key, value]): [string, string][] => {
    const at = `${path}${key}`;
    if (typeof value === 'function')
      return [[at, String((value as (...said: unknown[]) => unknown)('@', '@', '@', '@'))]];
    return typeof value === 'object' ? textsOf(value as object, `${at}.`) : [[at, String(value)]];
  });

/** Paths of texts that are correct although they equal the English text. */
const SHARED = new Set([
  ...['de.mail.status', 'fr.mail.impact', 'fr.impact.maintenance', 'de.colon', 'es.colon', 'ru.colon'],
  ...['es.times.moment', 'ru.times.moment', 'ru.times.span'],
]);

const en = new Map(textsOf(wordsFor('en')));
const others = PAGE_LANGUAGES.filter((language) => language !== 'en');

test('message texts exist in five languages, and English is used for all others', () => {
  assert.equal(
    PAGE_LANGUAGES.map((language) => wordsFor(language).language),
    ['en', 'de', 'fr', 'es', 'ru'],
  );
  assert.is(wordsFor('pt'), wordsFor('en'));
});

for (const language of others) {
  test(`every message text is translated to the language ${language}`, () => {
    const texts = textsOf(wordsFor(language));
    assert.equal(
      texts.map(([path]) => path),
      [...en.keys()],
    );
    for (const [path, text] of texts) {
      assert.is.not(text.trim(), '', path);
      if (!SHARED.has(`${language}.${path}`)) assert.is.not(text, en.get(path), path);
      if (language === 'ru' && !/^(language|colon|times\.)/.test(path))
        assert.match(text, /\p{Script=Cyrillic}/u, path);
      assert.is(text.includes('@'), en.get(path)?.includes('@'), path);
    }
  });
}

test('message texts are plain text without markup or surrounding blanks', () => {
  for (const language of PAGE_LANGUAGES) {
    for (const [path, text] of textsOf(wordsFor(language))) {
      assert.not.match(text, /[<>&\n]| {2}/, path);
      if (path !== 'colon') assert.is(text, text.trim(), path);
      if (path.startsWith('sentence.') || path === 'mail.cut') assert.match(text, /\.$/, path);
    }
  }
});

/** English texts without placeholders, which must not occur in messages in other languages. */
const english = [...en.values()].filter((text) => !text.includes('@') && text.length > 5);
const wholly = (text: string): RegExp => new RegExp(`(?<!\\p{L})${text.replace(/[.]/g, '\\.')}(?!\\p{L})`, 'u');

for (const event of NOTICE_EVENTS) {
  test(`a message about ${event} is completely translated to each language`, () => {
    for (const language of PAGE_LANGUAGES) {
      // Texts of the language that equal English texts are allowed.
      const own = textsOf(wordsFor(language)).map(([, text]) => text);
      const page = { ...plainPage, name: '1', language, notifications_email_footer: null };
      const plain = noticeOf(event, { page, components: [{ id: '1', name: '2', status: 'major_outage' }] });
      const incident = plain.incident && { ...plain.incident, name: '3' };
      const notice = { ...plain, incident, postmortem: null };
      const { subject, text, html } = composeMail(notice);
      const all = [subject, text, html.replace(/<style>.*?<\/style>|<[^>]*>/gs, ''), composeSms(notice)];
      for (const part of all) {
        assert.not.match(part, /undefined|null|\[object|NaN|\u0001/);
        for (const phrase of language === 'en' ? [] : english) {
          if (!own.some((text) => text.includes(phrase))) assert.not.match(part, wholly(phrase));
        }
      }
      assert.match(html, `<html lang="${language}">`);
      assert.match(subject, /^\[1\] \S/);
    }
  });
}

test('confirmation requests exist in each language', () => {
  for (const language of PAGE_LANGUAGES) {
    const { confirmation } = wordsFor(language);
    const { subject, text, html, sms } = composeConfirmation({
      page: { ...plainPage, language },
      confirmUrl: 'https://status.acme.example/c?token=a&b',
      validUntil: '2026-11-27T15:04:05.123000',
    });
    assert.is(subject, confirmation.subject('Acme Cloud'));
    assert.match(text, 'https://status.acme.example/c?token=a&b');
    assert.match(html, 'href="https://status.acme.example/c?token=a&amp;b"');
    assert.ok(sms.endsWith('\nhttps://status.acme.example/c?token=a&b'));
    for (const version of [text, html]) assert.match(version, /2026/);
  }
});

test('plurals in messages follow the rules of the language', () => {
  const more = (language: string, counts: number[]): string[] =>
    counts.map((count) => wordsFor(language).mail.more(count));
  assert.equal(more('en', [1, 2, 1234]), [
    'and 1 more component',
    'and 2 more components',
    'and 1,234 more components',
  ]);
  assert.equal(more('de', [1, 2]), ['und 1 weitere Komponente', 'und 2 weitere Komponenten']);
  assert.equal(more('fr', [1, 2]), ['et 1 autre composant', 'et 2 autres composants']);
  assert.equal(more('es', [1, 2]), ['y 1 componente más', 'y 2 componentes más']);
  assert.equal(more('ru', [1, 3, 11, 21]), [
    'и ещё 1 компонент',
    'и ещё 3 компонента',
    'и ещё 11 компонентов',
    'и ещё 21 компонент',
  ]);
});

test.run();
