import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BadConnectionString, parseConnectionString } from '../../../stores/eventstoredb/connection-string.ts';

const test = suite('the connection string of EventStoreDB');

test('the connection string of EventStoreDB names hosts, a user, and whether TLS is used', () => {
  const { credentials, tls, discover } = parseConnectionString('esdb://ops:p%40ss@db.example:2113');
  assert.equal([credentials, tls, discover], [{ username: 'ops', password: 'p@ss' }, true, false]);
});

test('the connection string of EventStoreDB names a cluster by one DNS name, or by several nodes', () => {
  assert.is(parseConnectionString('esdb+discover://cluster.example:2113').discover, true);
  assert.is(parseConnectionString('esdb://a:2113,b:2113,c:2113?nodePreference=leader').discover, true);
});

test('the hosts of an EventStoreDB connection string are all its nodes, or the one DNS name of a cluster', () => {
  const hostsOf = (given: string) => parseConnectionString(given).hosts.map(({ host, port }) => `${host} ${port}`);
  assert.equal(hostsOf('esdb://a:1,b:2'), ['a 1', 'b 2']);
  assert.equal(hostsOf('esdb+discover://cluster.example'), ['cluster.example 2113']);
});

test('the connection string of EventStoreDB may omit user, port and options', () => {
  const parsed = parseConnectionString('esdb://localhost');
  assert.equal(parsed, {
    url: 'esdb://localhost',
    tls: true,
    files: {},
    hosts: [{ host: 'localhost', port: 2113 }],
    discover: false,
    keepAliveInterval: 10_000,
  });
});

for (const [given, why] of [
  ['http://localhost:2113', "can't be read"],
  ['esdb://', "can't be read"],
  ['localhost:2113', "can't be read"],
  ['esdb://host:99999', 'names the invalid port 99999'],
  ['esdb://ho$t:2113', 'names the invalid host "ho$t:2113"'],
  ['esdb://ops:secret@[::1]:2113', 'names the address [::1]:2113, but IPv6 addresses need a name (DNS, /etc/hosts)'],
  ['esdb://admin@host', 'names a user without a password'],
  ['esdb://admin:%ZZ@host', 'has a user or a password with an invalid "%" escape'],
  ['esdb://host?tsl=false', 'has an unknown option "tsl"'],
  ['esdb://host?tls=no', 'has the option tls, which takes true or false'],
  [
    'esdb://host?keepAliveInterval=soon',
    'has the option keepAliveInterval, which takes a whole number from 1000 to 2000000000',
  ],
  [
    'esdb://host?keepAliveInterval=-1',
    'has the option keepAliveInterval, which takes a whole number from 1000 to 2000000000',
  ],
  ['esdb://host?defaultDeadline=0', 'has the option defaultDeadline, which takes a whole number from 1 to 2000000000'],
  [
    'esdb://a,b?maxDiscoverAttempts=-1',
    'has the option maxDiscoverAttempts, which takes a whole number from 1 to 1000',
  ],
  [
    'esdb://host?nodePreference=best',
    'has the option nodePreference, which takes one of leader, follower, read_only_replica, random',
  ],
  ['esdb://host?tlsCAFile=/nowhere/ca.pem', 'names a tlsCAFile that does not exist'],
  ['esdb://host?tlsCAFile=%zz', 'names a tlsCAFile with an invalid "%" escape'],
  [`esdb://host?tlsCAFile=${import.meta.dirname}`, "names a tlsCAFile that can't be read (EISDIR)"],
  [`esdb://host?tlsCAFile=${import.meta.filename}`, 'names a tlsCAFile that is not PEM'],
  [
    'esdb://host?tlsVerifyCert=false',
    'has tlsVerifyCert=false, which is not supported (set tlsCAFile to the file of the authority)',
  ],
] as const) {
  test(`a connection string of EventStoreDB is refused when it ${why}`, () => {
    assert.throws(
      () => parseConnectionString(given),
      (error: Error) => {
        assert.instance(error, BadConnectionString);
        assert.is(
          error.message,
          `The connection string of EventStoreDB ${why}; it looks like esdb://user:password@host:2113?tls=true, or esdb+discover://… for a cluster.`,
        );
        return true;
      },
    );
  });
}

test('an error about the connection string of EventStoreDB never contains the password', () => {
  for (const given of ['esdb://admin:s3cr3t@ho$t', 'esdb://admin:s3cr3t@host?x=y', 'esd://admin:s3cr3t@host']) {
    assert.throws(
      () => parseConnectionString(given),
      (error: Error) => !error.message.includes('s3cr3t'),
    );
  }
});

test.run();
