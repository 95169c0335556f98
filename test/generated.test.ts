import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { generatedTexts } from './generated.ts';

const test = suite('generated files');

for (const { path, text } of generatedTexts()) {
  test(`the generated file ${basename(path)} is up to date (to update it: npm run generate)`, () => {
    assert.ok(existsSync(path));
    assert.is(readFileSync(path, 'utf8'), text);
  });
}

test.run();
