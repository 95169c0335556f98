import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projections } from '../../projections/index.ts';

const test = suite('read models of checks that are deleted and restored');

/** Projections whose changes a restoration does not undo: jobs of a deleted check end automatically, and stay ended. */
const NOTHING_TO_UNDO: ReadonlySet<string> = new Set(['jobs']);

test('the restoration of a check undoes every change that its deletion has caused in read models', () => {
  const folding = (type: string): string[] =>
    projections.filter(({ name, on }) => type in on && !NOTHING_TO_UNDO.has(name)).map(({ name }) => name);
  const deleting = folding('CheckDeleted');
  assert.ok(deleting.length > 3);
  assert.equal(folding('CheckRestored'), deleting);
});

test.run();
