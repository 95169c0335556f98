import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CONSOLE_WORDS } from '../../messages/console-words/index.ts';
import { PAGE_LANGUAGES } from '../../messages/words/languages.ts';

const test = suite('what the console says');

/** Every text of a language, by where it stands; functions say what they say about 21. */
const textsOf = (words: object, path = ''): [path: string, text: string][] =>
  Object.entries(words).flatMap(([key, value]): [string, string][] => {
    const at = `${path}${key}`;
    if (typeof value === 'function') return [[at, String((value as (...said: number[]) => unknown)(21, 21, 21))]];
    return typeof value === 'object' ? textsOf(value as object, `${at}.`) : [[at, String(value)]];
  });

const texts = new Map<string, Map<string, string>>();
test.before(async () => {
  for (const language of PAGE_LANGUAGES) texts.set(language, new Map(textsOf(await CONSOLE_WORDS[language]())));
});

/** The same in another language as in English, and right there too. */
const SHARED = new Set([
  ...['de.signIn.code', 'de.checks.name', 'fr.checks.type', 'fr.checks.message'],
  ...['de.common.optional', 'de.common.name', 'fr.common.actions', 'fr.common.description', 'fr.common.pages'],
  ...['fr.common.units.minute', 'es.common.no'],
  ...['de.checkForm.header', 'fr.checkForm.sections.secrets', 'fr.checkForm.type', 'fr.checkForm.secret'],
  ...['fr.checkForm.fields.script', 'es.checkForm.fields.script', 'fr.checkForm.options.minRiskLevel.info'],
  ...['fr.checkStart.type', 'fr.secrets.title', 'fr.screens.secrets'],
  ...['de.screens.heartbeats', 'fr.screens.heartbeats', 'es.screens.heartbeats'],
]);

for (const language of PAGE_LANGUAGES.filter((one) => one !== 'en')) {
  test(`is nowhere missing or left in English: ${language}`, () => {
    const own = texts.get(language) ?? new Map<string, string>();
    const en = texts.get('en') ?? new Map<string, string>();
    assert.equal([...own.keys()], [...en.keys()]);
    for (const [path, text] of own) {
      assert.is.not(text.trim(), '', path);
      if (!SHARED.has(`${language}.${path}`)) assert.is.not(text, en.get(path), path);
      if (language === 'ru') assert.match(text, /\p{Script=Cyrillic}/u, path);
      assert.is(text.includes('21'), en.get(path)?.includes('21'), path);
    }
  });
}

test('reads as plain text, without markup or blanks at its ends', () => {
  for (const own of texts.values()) {
    for (const [path, text] of own) {
      assert.not.match(text, /[<>&\n]| {2}/, path);
      assert.is(text, text.trim(), path);
    }
  }
});

test.run();
