import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { preferredLanguage } from '../../../http/media/accept-language.ts';

const test = suite('the language that a browser prefers');

const SPOKEN = ['en', 'de', 'fr'] as const;

const CASES: readonly [header: string | undefined, language: string][] = [
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['FR-fr, de;q=0.9', 'fr'],
  ['ja, de;q=0.8, en;q=0.7', 'de'],
  ['en;q=0.1, fr;q=0.2', 'fr'],
  ['ja', 'en'],
  ['de;q=0', 'en'],
  ['*', 'en'],
  [`${'x,'.repeat(1_000)}de`, 'en'],
];

for (const [header, language] of CASES) {
  test(`the Accept-Language header ${header?.slice(0, 30) ?? '(absent)'} prefers ${language}`, () => {
    assert.is(preferredLanguage(header, SPOKEN), language);
  });
}

test.run();
