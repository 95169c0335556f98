import { builtinModules, createRequire } from 'node:module';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modules } from './loading.ts';

const importing = suite('modules that a script may import');

const { mayImport, PACKAGES } = modules;

importing(
  'scripts can import the documented packages and the harmless modules of Node.js, with or without node:',
  () => {
    for (const specifier of [
      ...[
        '@playwright/test',
        '@faker-js/faker',
        '@faker-js/faker/locale/de',
        'zod',
        'zod/v4',
        'jsonwebtoken',
        'otpauth',
      ],
      ...['dayjs', 'dayjs/plugin/utc', 'dayjs/plugin/utc.js', 'dayjs/locale/de'],
      ...[
        'fs',
        'node:fs',
        'fs/promises',
        'node:path/posix',
        'crypto',
        'assert/strict',
        'util/types',
        'timers/promises',
      ],
      ...['http', 'node:https', 'url', 'buffer', 'stream/web', 'zlib', 'os', 'module', 'events'],
    ])
      assert.is(mayImport(specifier), null, specifier);
  },
);

importing('every package that scripts may import is installed', () => {
  const { resolve } = createRequire(import.meta.url);
  for (const name of PACKAGES) assert.ok(resolve(name), name);
});

importing(
  'scripts can’t import modules that bypass the proxy or start programs, and the error names an alternative',
  () => {
    for (const [specifier, instead] of [
      ['net', /fetch[^]*type tcp/],
      ['node:net', /fetch/],
      ['tls', /type ssl/],
      ['dgram', /fetch/],
      ['http2', /fetch/],
      ['dns', /type dns/],
      ['node:dns/promises', /type dns/],
      ['child_process', /one process/],
      ['worker_threads', /one process/],
      ['cluster', /one process/],
      ['inspector/promises', /console\.log/],
      ['node:test', /@playwright\/test/],
      ['axios', /fetch/],
      ['playwright', /@playwright\/test/],
      ['moment', /dayjs/],
      ['left-pad', /Scripts may import @playwright\/test, /],
      ['@scope/anything/deep', /Scripts may import/],
      ['dayjs/../undici', /only "dayjs" itself/],
      ['@playwright/test/cli', /only "@playwright\/test" itself/],
      ['node:zod', /can't be imported/],
      ['./other', /one file/],
      ['../../etc/passwd', /one file/],
      ['/etc/passwd', /one file/],
      ['file:///etc/passwd', /one file/],
      ['#internal', /one file/],
      ['C:\\x', /one file/],
      ['https://example.com/x.js', /installed packages only/],
      ['data:text/javascript,1', /installed packages only/],
      ['constructor', /can't be imported/],
      ['__proto__', /can't be imported/],
      ['', /can't be imported/],
      ['.', /one file/],
      ['..', /one file/],
    ] as const)
      assert.match(mayImport(specifier) ?? 'it may', instead, specifier);
  },
);

importing('every module of Node.js is either allowed or refused with a sentence of limited length', () => {
  for (const name of [...builtinModules, 'x'.repeat(10_000)]) {
    const sentence = mayImport(name);
    assert.ok(sentence === null || (sentence.endsWith('.') && sentence.length < 500), name);
  }
});

importing.run();
