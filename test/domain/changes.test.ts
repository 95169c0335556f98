import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changedFields } from '../../domain/changes.ts';

const test = suite('changed fields');

interface Ship {
  name: string;
  masts: number | null;
  cargo: { crates: number[]; label?: string };
}
const ship: Ship = { name: 'Argo', masts: 1, cargo: { crates: [1, 2], label: 'wool' } };

test('a change contains the new and the old values of fields that differ', () => {
  assert.equal(changedFields(ship, { masts: null, name: 'Argo', cargo: { crates: [2] } }), {
    changes: { masts: null, cargo: { crates: [2] } },
    previous: { masts: 1, cargo: { crates: [1, 2], label: 'wool' } },
  });
});

test('a change is empty if nothing differs, in any order of the fields of an object', () => {
  assert.is(changedFields(ship, { name: 'Argo', cargo: { label: 'wool', crates: [1, 2] } }), null);
  assert.is(changedFields(ship, {}), null);
});

test('a change does not contain omitted or undefined fields', () => {
  assert.equal(changedFields(ship, { name: undefined, masts: 3 }), { changes: { masts: 3 }, previous: { masts: 1 } });
});

test('a field that the current fields lack counts as null', () => {
  const current: { name: string; flag?: string | null } = { name: 'Argo' };
  assert.is(changedFields(current, { flag: null }), null);
  assert.equal(changedFields(current, { flag: 'red' }), { changes: { flag: 'red' }, previous: { flag: null } });
});

test('a change has its fields in the order of the input', () => {
  assert.equal(Object.keys(changedFields(ship, { masts: 2, name: 'Argo II' })?.changes ?? {}), ['masts', 'name']);
});

test.run();
