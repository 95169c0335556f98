import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  bindingErrors,
  ENV_VARIABLE,
  isReserved,
  fitsMaxValueBytes,
  MAX_VALUE_BYTES,
  SECRET_NAME,
} from '../../../domain/secret/input.ts';

const test = suite('input of secrets');

const isName = (text: string): boolean => new RegExp(SECRET_NAME).test(text);
const isVariable = (text: string): boolean => new RegExp(ENV_VARIABLE).test(text);

test('names of secrets have letters, digits, underscores, dots and hyphens, and begin with a letter or an underscore', () => {
  for (const name of ['a', '_', 'API_TOKEN', 'shop.login-password', 'a'.repeat(100)]) assert.ok(isName(name), name);
  for (const name of ['', '1a', '-a', '.a', 'a b', 'ä', 'a/b', 'a\n', 'a'.repeat(101)]) assert.not(isName(name), name);
});

test('environment variables of secrets have letters, digits and underscores', () => {
  for (const name of ['a', '_', 'API_TOKEN', 'a1', 'a'.repeat(100)]) assert.ok(isVariable(name), name);
  for (const name of ['', '1a', 'a-b', 'a.b', 'ключ', 'a=b', 'a'.repeat(101)]) assert.not(isVariable(name), name);
});

test('environment variables that programs interpret are reserved', () => {
  for (const name of ['PATH', 'NODE_OPTIONS', 'LD_PRELOAD', 'LD_', '__proto__']) assert.ok(isReserved(name), name);
  for (const name of ['path', 'MY_PATH', 'PATHS', 'NODE_OPTION', 'OLD_TOKEN', 'LDAP'])
    assert.not(isReserved(name), name);
});

test("the size limit of a secret's value counts bytes", () => {
  assert.ok(fitsMaxValueBytes('x'.repeat(MAX_VALUE_BYTES)));
  assert.not(fitsMaxValueBytes('x'.repeat(MAX_VALUE_BYTES + 1)));
  assert.ok(fitsMaxValueBytes('я'.repeat(MAX_VALUE_BYTES / 2)));
  assert.not(fitsMaxValueBytes('я'.repeat(MAX_VALUE_BYTES / 2 + 1)));
});

test('a list of bindings contains each secret and each variable at most once', () => {
  const bindings = [
    { secret_id: 'one', env_variable: 'A' },
    { secret_id: 'two', env_variable: 'B' },
    { secret_id: 'one', env_variable: 'C' },
    { secret_id: 'three', env_variable: 'B' },
    {},
    {},
  ];
  const message = ['Must be given once.'];
  assert.equal(bindingErrors(bindings), { '2.secret_id': message, '3.env_variable': message });
  assert.equal(bindingErrors(bindings.slice(0, 2)), {});
});

test.run();
