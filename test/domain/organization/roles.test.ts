import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { includesRole, lesserRole, ROLES } from '../../../domain/organization/roles.ts';

const test = suite('the inclusion of one role in another');

test('the role admin includes all roles, editor and billing include viewer, and each role includes itself', () => {
  const included = ROLES.map((role) => [role, ROLES.filter((other) => includesRole(role, other))]);
  assert.equal(Object.fromEntries(included), {
    viewer: ['viewer'],
    editor: ['viewer', 'editor'],
    admin: ROLES,
    billing: ['viewer', 'billing'],
  });
});

test('the lower of two roles is the role that both roles include, in whichever order they are given', () => {
  for (const [one, other, lesser] of [
    ['admin', 'editor', 'editor'],
    ['admin', 'admin', 'admin'],
    ['billing', 'viewer', 'viewer'],
    ['editor', 'billing', 'viewer'],
  ] as const) {
    assert.is(lesserRole(one, other), lesser);
    assert.is(lesserRole(other, one), lesser);
  }
});

test('an unknown role of a later release includes no role, no role includes it, and it is lower than any other role', () => {
  for (const role of ['auditor', '', 'constructor', 'Admin']) {
    assert.is(includesRole(role, 'viewer'), false);
    assert.is(includesRole('admin', role), false);
    assert.is(includesRole(role, role), false);
    assert.is(lesserRole('admin', role), role);
    assert.is(lesserRole(role, 'admin'), role);
  }
});

test.run();
