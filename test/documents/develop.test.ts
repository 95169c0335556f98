import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOCUMENTS, textOf } from './files.ts';
import { headingsOf, relativeLinksOf } from './markdown.ts';

const test = suite('documents for developers');

const pagesOf = (folder: string): string[] =>
  DOCUMENTS.filter((path) => path.startsWith(`${folder}/`) && path !== `${folder}/index.md`);

for (const folder of ['docs/develop', 'docs/decisions']) {
  test(`the index of ${folder}/ links to each of its pages`, () => {
    const linked = relativeLinksOf(textOf(`${folder}/index.md`)).map((target) => `${folder}/${target}`);
    assert.equal(
      pagesOf(folder).filter((page) => !linked.includes(page)),
      [],
    );
  });
}

test('every design decision has a unique number and the four required headings', () => {
  const records = pagesOf('docs/decisions');
  assert.ok(records.length >= 30);
  const numbers = records.map((path) => path.slice('docs/decisions/'.length, 'docs/decisions/'.length + 4));
  assert.is(new Set(numbers).size, records.length);
  for (const [index, record] of records.entries()) {
    const [title = '', ...headings] = headingsOf(textOf(record));
    assert.ok(title.startsWith(`${numbers[index] ?? ''} `), record);
    assert.equal(headings, ['Context', 'Options', 'Choice', 'Price'], record);
  }
});

test('the glossary defines at least 60 terms in alphabetical order, each in one or two sentences', () => {
  const [, terms = ''] = textOf('docs/develop/glossary.md').split('\n## Terms\n');
  const entries = (terms.split('\n## ')[0] ?? '').split('\n### ').slice(1);
  const names = entries.map((entry) => (entry.split('\n')[0] ?? '').toLowerCase());
  assert.ok(names.length >= 60, `It has ${names.length}.`);
  assert.equal(names, [...new Set(names)].sort());
  for (const entry of entries) {
    const [name = '', ...lines] = entry.split('\n');
    const definition = lines.join(' ').trim();
    const sentences = definition.split(/[.!?](?: |$)/).filter(Boolean);
    assert.ok(definition.length > 0 && sentences.length <= 2, `${name} has ${sentences.length} sentences.`);
  }
});

test.run();
