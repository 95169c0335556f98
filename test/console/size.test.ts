import { readFileSync, statSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PAGE_LANGUAGES } from '../../messages/words/languages.ts';
import { assetName } from '../../site/assets/assets.ts';
import { inProject } from '../project.ts';

const test = suite('the size of the console');

/** Maximum size in bytes of all scripts that are loaded before the first screen, compressed with Brotli. */
const MOST = 120 * 1024;

const asset = (name: string): string => inProject(`dist/assets/${name}`);
const sizeOf = (name: string): number => statSync(asset(`${name}.br`)).size;

/** Returns the names of a script and of all scripts that it imports statically. */
const withImports = (name: string, found = new Set<string>()): Set<string> => {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(asset(name), 'utf8');
  for (const [, imported = ''] of text.matchAll(/(?:^|[;}])import(?:[^"'();]*from)?"\.\/([^"]+\.js)"/g)) {
    withImports(imported, found);
  }
  return found;
};

test('the console loads at most 120 KiB of scripts before its first screen', () => {
  const scripts = [...withImports(assetName('console.js'))];
  // The console shares code with its screens in separate files, which must be counted too.
  assert.ok(scripts.length > 1);
  const initial = scripts.reduce((sum, name) => sum + sizeOf(name), 0);
  const words = Math.max(...PAGE_LANGUAGES.map((language) => sizeOf(assetName(`${language}.js`))));
  assert.ok(initial + words <= MOST, `It is ${initial + words} bytes.`);
});

test("the console's initial script contains neither other languages nor screens", () => {
  const scripts = [...withImports(assetName('console.js'))].map((name) => readFileSync(asset(name), 'utf8')).join('');
  assert.not.match(scripts, 'The e-mail or the password is wrong.');
  assert.match(readFileSync(asset(assetName('en.js')), 'utf8'), 'The e-mail or the password is wrong.');
});

test.run();
