import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { throughProxy, withDatabase } from './url.ts';

const test = suite('the URL of a MongoDB to test on');

const PROXY = { port: 4_711 };

for (const [what, url, expected] of [
  ['names one host', 'mongodb://127.0.0.1:27017', 'mongodb://127.0.0.1:27017/probe'],
  ['names a database', 'mongodb://127.0.0.1:27017/other?w=1', 'mongodb://127.0.0.1:27017/probe?w=1'],
  ['has options and no path', 'mongodb://127.0.0.1:27017?w=1', 'mongodb://127.0.0.1:27017/probe?w=1'],
  [
    'names several hosts',
    'mongodb://127.0.0.1:1,127.0.0.1:2,[::1]:3/?replicaSet=rs0',
    'mongodb://127.0.0.1:1,127.0.0.1:2,[::1]:3/probe?replicaSet=rs0',
  ],
  [
    'has its servers looked up',
    'mongodb+srv://cluster.example.test/?retryWrites=true',
    'mongodb+srv://cluster.example.test/probe?retryWrites=true',
  ],
] as const) {
  test(`a MongoDB URL gets a database when it ${what}`, () => {
    assert.is(withDatabase(url, 'probe', null), expected);
  });
}

test('a MongoDB URL with another database keeps its user and the database that defines the user', () => {
  assert.is(
    withDatabase('mongodb+srv://me:p%40ss%2Fword@cluster.example.test/', 'probe', 'admin'),
    'mongodb+srv://me:p%40ss%2Fword@cluster.example.test/probe?authSource=admin',
  );
  assert.is(
    withDatabase('mongodb://me:x@127.0.0.1:1/app?authSource=users', 'probe', 'users'),
    'mongodb://me:x@127.0.0.1:1/probe?authSource=users',
  );
});

test('a MongoDB URL through a proxy makes the driver connect only to the proxy, and not to addresses that the server announces', () => {
  assert.is(
    throughProxy(PROXY, 'mongodb://me:x@127.0.0.1:1,127.0.0.1:2/probe?replicaSet=rs0&w=majority', false),
    'mongodb://me:x@127.0.0.1:4711/probe?w=majority&directConnection=true',
  );
  assert.is(
    throughProxy(PROXY, 'mongodb+srv://cluster.example.test/probe?srvMaxHosts=2', true),
    'mongodb://127.0.0.1:4711/probe?directConnection=true&tls=true&tlsAllowInvalidHostnames=true',
  );
});

test.run();
