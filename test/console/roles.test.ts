import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { roleMay } from '../../console/session/role-may.ts';

const test = suite('the roles that the console shows buttons to');

test('are those that may do what the buttons do', () => {
  assert.ok(roleMay('editor', 'POST /v1/checks'));
  assert.ok(roleMay('admin', 'POST /v1/checks'));
  assert.not(roleMay('viewer', 'POST /v1/checks'));
  assert.not(roleMay('billing', 'POST /v1/checks'));
  assert.not(roleMay('', 'POST /v1/checks'));
  assert.ok(roleMay('viewer', 'GET /v1/checks'));
  assert.not(roleMay('editor', 'POST /v1/users/invite'));
});

test.run();
