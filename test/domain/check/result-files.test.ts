import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { referencesIn, withReferences } from '../../../domain/check/result-files.ts';

const files = suite('the files of results');

const entry = (name: string, url: string) => ({ contentType: 'image/png', name, url });
const metadata = {
  logs: [{ level: 'log', message: 'file:0', timestamp: '', url: 'file:0' }],
  test_results: [
    {
      browser_metadata: { screenshots: [entry('a', 'file:0'), entry('b', 'file:1'), entry('c', 'file:2')], videos: [] },
    },
    { browser_metadata: { screenshots: [], videos: [entry('d', 'file:3')] } },
  ],
  full_logs: entry('logs.txt', 'file:logs'),
};

files('the files of a result are found only in the fields of its type', () => {
  assert.equal(referencesIn(metadata, 'synthetic'), ['file:logs', 'file:0', 'file:1', 'file:2', 'file:3']);
  assert.equal(referencesIn(metadata, 'multistep'), ['file:logs']);
  assert.equal(referencesIn(metadata, 'web'), []);
});

files('the files of a result are renamed, and those without a new name are left out', () => {
  const found = withReferences(metadata, 'synthetic', (reference) =>
    ['file:1', 'file:3'].includes(reference) ? `artifact:${reference.slice(5)}` : null,
  );
  assert.equal(found, {
    logs: metadata.logs,
    test_results: [
      { browser_metadata: { screenshots: [entry('b', 'artifact:1')], videos: [] } },
      { browser_metadata: { screenshots: [], videos: [entry('d', 'artifact:3')] } },
    ],
  });
  assert.is(metadata.full_logs.url, 'file:logs');
});

files('malformed metadata contains no files', () => {
  for (const odd of [{}, { test_results: null }, { test_results: [{ browser_metadata: [] }] }, { full_logs: 'x' }])
    assert.equal(referencesIn(odd, 'synthetic'), []);
});

files.run();
