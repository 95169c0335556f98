import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PAGE_LANGUAGES } from '../../messages/words/languages.ts';

// The language of the console is set on the document of a browser.
Object.assign(globalThis, { document: { documentElement: { lang: '' } }, location: { href: 'http://127.0.0.1/' } });
const { chooseLanguage, words } = await import('../../console/shell/language.ts');
const { ManagedBadge, ManagedHint } = await import('../../console/parts/managed.tsx');

const test = suite('managed objects in the console');

const managed = { managed_by: 'uptrail "apply"' };

test('a managed object has a badge whose tooltip names the program, and a warning in its form', async () => {
  await chooseLanguage('en');
  assert.is(
    renderToString(h(ManagedBadge, { of: managed })),
    '<span class="managed" title="uptrail &quot;apply&quot;">Managed by files</span>',
  );
  assert.match(renderToString(h(ManagedHint, { of: managed })), 'The next apply overwrites what you change here.');
});

test('an object without a program, and a new object, have neither badge nor warning', () => {
  for (const of of [{ managed_by: null }, {}, null]) {
    assert.is(renderToString(h(ManagedBadge, { of })), '');
    assert.is(renderToString(h(ManagedHint, { of })), '');
  }
});

test('badge and warning exist in every language, in words of their own', async () => {
  const texts = new Set<string>();
  for (const language of PAGE_LANGUAGES) {
    await chooseLanguage(language);
    texts.add(words.value.common.managed).add(words.value.common.managedHint);
  }
  assert.is(texts.size, 2 * PAGE_LANGUAGES.length);
});

test.run();
