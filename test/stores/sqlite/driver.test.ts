import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import Database, { loadDriver, packageFor } from '../../../stores/sqlite/driver.ts';

const test = suite('the SQLite driver');

test('is the release of better-sqlite3 that the Node.js can run', () => {
  assert.equal([20, 22, 24, 26].map(packageFor), [
    'better-sqlite3-node20',
    'better-sqlite3',
    'better-sqlite3',
    'better-sqlite3',
  ]);
});

test('is there for this Node.js', () => {
  const connection = new Database(':memory:');
  assert.equal(connection.prepare('SELECT 1 AS one').get(), { one: 1 });
  connection.close();
});

test('says in a sentence which package is missing', () => {
  const missing = (): unknown => {
    throw new Error("Cannot find module 'better-sqlite3'");
  };
  assert.throws(
    () => loadDriver(24, missing),
    /^SQLite can't be used: the package better-sqlite3 is not installed for Node\.js [\d.]+ on \w+-\w+\. Run npm ci with this Node\.js\.$/,
  );
  assert.throws(() => loadDriver(20, missing), /better-sqlite3-node20 .* python3, make and a C\+\+ compiler\.$/);
});

test('says so as well where the native part of a package is missing', () => {
  function broken(): never {
    throw new Error('Could not locate the bindings file.');
  }
  assert.throws(() => loadDriver(26, () => broken), /^SQLite can't be used/);
});

test.run();
