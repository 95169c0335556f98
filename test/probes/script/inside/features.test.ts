import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BrowserModule } from '../../../../probes/script/inside/browser.cts';
import { inProject } from '../../../project.ts';

const test = suite('features of the browser for scripts');
const require = createRequire(import.meta.url);

test('the list of disabled features begins with Playwright’s own, because the browser accepts only one list', () => {
  const { FEATURES_OFF } = require(inProject('dist/probes/script/inside/browser.cjs')) as BrowserModule;
  const core = readFileSync(
    join(dirname(require.resolve('playwright-core/package.json')), 'lib/coreBundle.js'),
    'utf8',
  );
  const [, list = ''] = /\n    disabledFeatures = \[(.*?)\]\.filter/s.exec(core) ?? [];
  const own = [...list.matchAll(/^\s*"(\w+)"/gm)].map(([, name]) => name);
  assert.ok(own.length > 0);
  assert.equal(FEATURES_OFF.slice(0, own.length), own);
});

test.run();
