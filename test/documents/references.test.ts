import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOCUMENTS, textOf } from './files.ts';
import { brokenInCode, brokenInDocument, COMMENTED, commentsOf } from './references.ts';

const test = suite('references to files of the project');

/** Returns the folder of the root that contains a file, or `.` for a file in the root itself. */
const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '.');

for (const folder of new Set(COMMENTED.map(folderOf))) {
  test(`comments and texts in ${folder}/ name only documents, sections and files that exist`, () => {
    const broken = COMMENTED.filter((path) => folderOf(path) === folder).flatMap((path) =>
      brokenInCode(path, textOf(path)).map((wrong) => `${path}: ${wrong}`),
    );
    assert.equal(broken, []);
  });
}

for (const document of DOCUMENTS) {
  test(`${document} names only documents, sections and files that exist`, () => {
    assert.equal(brokenInDocument(document, textOf(document)), []);
  });
}

test('broken references are detected in comments, texts and documents', () => {
  const code = [
    '/** A rule (docs/develop/style.md#no-such-heading; docs/develop/style.md: Comments), in',
    ' * docs/develop/missing.md and missing.ts. */',
    '// See docs/develop/style.md: Nothing. Also domain/missing/ and ./errors.ts, which exists, and domain/<note>/a.ts.',
    "const help = 'Read docs/nothing.md.';",
    '// and state.ts',
  ].join('\n');
  assert.equal(brokenInCode('domain/example.ts', code), [
    'docs/develop/style.md#no-such-heading: it has no such heading',
    'docs/develop/missing.md: there is no such document',
    'docs/develop/style.md: Nothing: it has no such section',
    'docs/nothing.md: there is no such document',
    'missing.ts: there is no such file',
    'domain/missing/: there is no such file',
    'state.ts: there is no such file',
  ]);
  assert.equal(
    brokenInDocument('docs/example.md', 'Read `domain/errors`, `domain/missing` and `https://a.md`, not b.md.'),
    ['b.md: there is no such document', 'domain/missing: there is no such file or folder'],
  );
});

test('comments on consecutive lines are parsed as one text, and URLs are not parsed as comments', () => {
  assert.equal(
    commentsOf('a.ts', "// one\n// two\nget('http://a.example/'); // three\n\n/**\n * four\n * five\n */"),
    ['* four five ', 'one two three'].sort(),
  );
  assert.equal(commentsOf('a.sh', '# one\n# two\necho "#three"'), ['one two']);
});

test.run();
