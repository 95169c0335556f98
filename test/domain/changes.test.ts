import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changedFields } from '../../domain/changes.ts';

const test = suite('the fields that a change touches');

interface Ship {
  name: string;
  masts: number | null;
  cargo: { crates: number[]; label?: string };
}
const ship: Ship = { name: 'Argo', masts: 1, cargo: { crates: [1, 2], label: 'wool' } };

test('are those that differ, as they are to be and as they were', () => {
  assert.equal(changedFields(ship, { masts: null, name: 'Argo', cargo: { crates: [2] } }), {
    changes: { masts: null, cargo: { crates: [2] } },
    previous: { masts: 1, cargo: { crates: [1, 2], label: 'wool' } },
  });
});

test('are none where nothing differs, whatever the order of fields in an object', () => {
  assert.is(changedFields(ship, { name: 'Argo', cargo: { label: 'wool', crates: [1, 2] } }), null);
  assert.is(changedFields(ship, {}), null);
});

test('are never those that are left out or undefined', () => {
  assert.equal(changedFields(ship, { name: undefined, masts: 3 }), { changes: { masts: 3 }, previous: { masts: 1 } });
});

test('stand in the order of the input', () => {
  assert.equal(Object.keys(changedFields(ship, { masts: 2, name: 'Argo II' })?.changes ?? {}), ['masts', 'name']);
});

test.run();
