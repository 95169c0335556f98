import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { roleMay } from '../../console/session/role-may.ts';

const test = suite('roles and buttons of the console');

test('the console shows a button only to roles that may call its operation', () => {
  assert.ok(roleMay('editor', 'POST /v1/checks'));
  assert.ok(roleMay('admin', 'POST /v1/checks'));
  assert.not(roleMay('viewer', 'POST /v1/checks'));
  assert.not(roleMay('billing', 'POST /v1/checks'));
  assert.not(roleMay('', 'POST /v1/checks'));
  assert.ok(roleMay('viewer', 'GET /v1/checks'));
  assert.not(roleMay('editor', 'POST /v1/users/invite'));
});

test.run();
