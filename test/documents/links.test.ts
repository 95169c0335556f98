import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOCUMENTS, exists, textOf } from './files.ts';
import { anchorsOf, relativeLinksOf } from './markdown.ts';

const test = suite('links of the documents');

for (const document of DOCUMENTS) {
  test(`${document} links only to files and headings that exist`, () => {
    const broken = relativeLinksOf(textOf(document)).filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? document : join(dirname(document), decodeURIComponent(path));
      if (!exists(file)) return true;
      return anchor !== undefined && file.endsWith('.md') && !anchorsOf(textOf(file)).has(anchor);
    });
    assert.equal(broken, []);
  });
}

test.run();
