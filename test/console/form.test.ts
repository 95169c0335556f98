import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { secondsIn, unitOf } from '../../console/parts/form/duration.ts';
import { instantOf, localOf } from '../../console/parts/form/local-time.ts';
import { withAddedItems } from '../../console/parts/form/split-list.ts';

const test = suite('form fields of the console');

test('a duration field uses the largest unit that divides the value', () => {
  assert.equal([0, 1, 90, 120, 5_400, 7_200, 86_400].map(unitOf), [
    'second',
    'second',
    'second',
    'minute',
    'minute',
    'hour',
    'day',
  ]);
  assert.is(secondsIn('hour'), 3_600);
});

test("a time field shows an API time in the browser's zone, and sends it back unchanged", () => {
  for (const instant of ['2026-11-27T08:05:00', '2026-03-29T00:30:00', '2026-07-01T23:59:00']) {
    assert.is(instantOf(localOf(instant)), instant);
  }
  assert.is(instantOf(''), null);
  assert.is(instantOf('soon'), null);
});

test('a list field splits the typed text into items, and adds each item once', () => {
  assert.equal(withAddedItems(['eu'], ' us, eu ,,\nprod '), ['eu', 'us', 'prod']);
  assert.equal(withAddedItems([], ' , '), []);
});

test.run();
