import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projections } from '../../projections/index.ts';

const test = suite('read models of checks that are deleted and restored');

/**
 * Projections with changes that a restoration does not undo. Example: jobs of a deleted check fail, and stay failed.
 */
const NOTHING_TO_UNDO: ReadonlySet<string> = new Set(['jobs']);

test('the restoration of a check undoes every change that the deletion of the check has caused in read models', () => {
  const folding = (type: string): string[] =>
    projections.filter(({ name, on }) => type in on && !NOTHING_TO_UNDO.has(name)).map(({ name }) => name);
  const deleting = folding('CheckDeleted');
  assert.ok(deleting.length > 3);
  assert.equal(folding('CheckRestored'), deleting);
});

test.run();
