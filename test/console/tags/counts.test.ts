import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countsOf, isTag, withReplacedTag } from '../../../console/screens/tags/counts.ts';

const test = suite('tags in the console');

test('tags are counted by name, with their problems', () => {
  const counts = countsOf(
    [
      { tags: ['web', 'eu'], status: 'down' },
      { tags: ['eu'], status: 'up' },
      { tags: [], status: 'down' },
    ],
    [
      { tags: ['nightly', 'eu'], status: 'grace' },
      { tags: ['nightly'], status: 'down' },
      { tags: ['nightly'], status: null },
    ],
  );
  assert.equal(counts, [
    { tag: 'eu', checks: 2, failing: 1, heartbeats: 1, late: 1 },
    { tag: 'nightly', checks: 0, failing: 0, heartbeats: 3, late: 2 },
    { tag: 'web', checks: 1, failing: 1, heartbeats: 0, late: 0 },
  ]);
});

test('tags are replaced and removed, each once', () => {
  assert.equal(withReplacedTag(['a', 'b', 'c'], 'b', 'c'), ['a', 'c']);
  assert.equal(withReplacedTag(['a', 'b'], 'b', 'x'), ['a', 'x']);
  assert.equal(withReplacedTag(['a', 'b'], 'b', null), ['a']);
});

test('tags have a valid format', () => {
  assert.ok(['eu', 'team:shop', 'v1.2_x-y'].every(isTag));
  assert.not(['', 'EU', 'a b', 'x'.repeat(51)].some(isTag));
});

test.run();
