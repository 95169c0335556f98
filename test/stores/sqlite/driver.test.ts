import { createRequire } from 'node:module';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import Database, { loadDriver, packagesFor } from '../../../stores/sqlite/driver.ts';
import { adaptToBetterSqlite3, type NodeSqlite } from '../../../stores/sqlite/database-sync.ts';
import { sqliteDriverContract } from '../../contracts/sqlite-driver.ts';

const require = createRequire(import.meta.url);
const test = suite('the SQLite driver');

test('the SQLite driver uses the fastest package that this Node.js can run', () => {
  assert.equal(
    [20, 22, 24, 26].map((major) => packagesFor(major)[0]),
    ['@photostructure/sqlite', 'better-sqlite3', 'better-sqlite3', 'better-sqlite3'],
  );
});

test('the package of the SQLite driver is installed for this Node.js', () => {
  const connection = new Database(':memory:');
  assert.equal(connection.prepare('SELECT 1 AS one').get(), { one: 1 });
  connection.close();
});

test('the SQLite driver uses the other package if better-sqlite3 is not installed', () => {
  const requested: string[] = [];
  const Other = loadDriver(24, (name) => {
    requested.push(name);
    if (name === 'better-sqlite3') throw new Error("Cannot find module 'better-sqlite3'");
    return require(name);
  });
  assert.equal(requested, ['better-sqlite3', '@photostructure/sqlite']);
  assert.is(new Other(':memory:').prepare('SELECT 1').pluck().get(), 1);
});

test('the error for missing SQLite packages names the packages', () => {
  const missing = (name: string): unknown => {
    throw new Error(`Cannot find module '${name}'`);
  };
  assert.throws(
    () => loadDriver(24, missing),
    /^SQLite can't be used: better-sqlite3 and @photostructure\/sqlite are not installed for Node\.js [\d.]+ on \w+-\w+\. Run npm ci with this Node\.js\.$/,
  );
  assert.throws(() => loadDriver(20, missing), /^SQLite can't be used: @photostructure\/sqlite is not installed/);
});

test('the error for a SQLite package without its native part names the package', () => {
  function broken(): never {
    throw new Error('Could not locate the bindings file.');
  }
  assert.throws(() => loadDriver(26, () => broken), /^SQLite can't be used/);
});

test.run();

sqliteDriverContract('the driver of this Node.js', Database);
sqliteDriverContract('@photostructure/sqlite', adaptToBetterSqlite3(require('@photostructure/sqlite') as NodeSqlite));
