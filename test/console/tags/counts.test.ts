import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countsOf, isTag, withReplacedTag } from '../../../console/screens/tags/counts.ts';

const test = suite('tags in the console');

test('the tag list shows for each tag how many checks have it, and how many of them have problems', () => {
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

test('replacing and removing tags of a check leaves no duplicates', () => {
  assert.equal(withReplacedTag(['a', 'b', 'c'], 'b', 'c'), ['a', 'c']);
  assert.equal(withReplacedTag(['a', 'b'], 'b', 'x'), ['a', 'x']);
  assert.equal(withReplacedTag(['a', 'b'], 'b', null), ['a']);
});

test('the console accepts only tags with a valid format', () => {
  assert.ok(['eu', 'team:shop', 'v1.2_x-y'].every(isTag));
  assert.not(['', 'EU', 'a b', 'x'.repeat(51)].some(isTag));
});

test.run();
