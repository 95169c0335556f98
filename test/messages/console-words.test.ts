import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CONSOLE_WORDS } from '../../messages/console-words/index.ts';
import { PAGE_LANGUAGES } from '../../messages/words/languages.ts';

const test = suite('texts of the console');

/** Returns all texts of a language with their paths. Functions are called with the number 21. */
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

/** Names and key labels that are the same in every language. */
const NAMES = new Set([
  'Enter',
  'Esc',
  'Shift',
  'DNS',
  'MAX',
  'ntfy',
  'Slack',
  'SMS',
  'Telegram',
  'TLS',
  'Uptrail',
  'URL',
  '21: 21',
]);

/** Words that a language shares with English. */
const SHARED: Readonly<Record<string, ReadonlySet<string>>> = {
  de: new Set([
    '(optional)',
    '21 SMS',
    'Browser',
    'Chat',
    'Cipher',
    'Ciphers',
    'Code',
    'Domain',
    'Feed',
    'Header',
    'Heartbeats',
    'Links',
    'Maximum',
    'Minimal',
    'Minimum',
    'Name',
    'Port',
    'Problem',
    'Region',
    'Registrar',
    'Runner',
    'Server',
    'Status',
    'Subdomain',
    'Support',
    'Tests',
    'Text',
    'Transport',
    'Version',
    'Videos',
    'Webhook',
    'Website',
  ]),
  fr: new Set([
    '21 SMS',
    '21 webhooks',
    'Actions',
    'Compact',
    'Condition',
    'Description',
    'Destination',
    'E-mail',
    'Heartbeats',
    'Incidents',
    'Information',
    'Maintenance',
    'Maximum',
    'Message',
    'Minimal',
    'Minimum',
    'Page',
    'Page 21',
    'Pages',
    'Port',
    'Question',
    'Script',
    'Secret',
    'Secrets',
    'Service',
    'Signature',
    'Tests',
    'Transport',
    'Type',
    'Version',
    'Webhook',
    'minutes',
  ]),
  es: new Set([
    '21 SMS',
    '21 webhooks',
    'Chat',
    'General',
    'Heartbeats',
    'No',
    'Script',
    'Vulnerable',
    'Webhook',
    'error',
  ]),
};

for (const language of PAGE_LANGUAGES.filter((one) => one !== 'en')) {
  test(`every console text is translated to the language ${language}`, () => {
    const own = texts.get(language) ?? new Map<string, string>();
    const en = texts.get('en') ?? new Map<string, string>();
    assert.equal([...own.keys()], [...en.keys()]);
    for (const [path, text] of own) {
      assert.is.not(text.trim(), '', path);
      if (NAMES.has(text)) continue;
      if (!SHARED[language]?.has(text)) assert.is.not(text, en.get(path), path);
      if (language === 'ru') assert.match(text, /\p{Script=Cyrillic}/u, path);
      assert.is(text.includes('21'), en.get(path)?.includes('21'), path);
    }
  });
}

test('console texts are plain text without markup or surrounding blanks', () => {
  for (const own of texts.values()) {
    for (const [path, text] of own) {
      assert.not.match(text, /[<>&\n]| {2}/, path);
      assert.is(text, text.trim(), path);
    }
  }
});

test.run();
