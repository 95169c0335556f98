import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigurationError, isCluster, readConfig } from '../../../service/config/config.ts';

const test = suite('the configuration');

const refused = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    assert.instance(error, ConfigurationError);
    return (error as Error).message;
  }
  throw new Error(`${JSON.stringify(environment)} was not refused`);
};

test('unset and empty variables have their default in the configuration', () => {
  const config = readConfig({ PORT: '', DATA_DIR: '  ', ADMIN_API_KEY: '' });
  assert.is(config.port, 3000);
  assert.is(config.host, '127.0.0.1');
  assert.is(config.dataDir, './data');
  assert.is(config.adminApiKey, null);
  assert.is(config.regions, null);
  assert.is(config.resultRetentionDays, 183);
  assert.is(config.targetPolicy, 'internal');
  assert.is(config.readYourWritesTimeoutMs, 2000);
});

test('the configuration contains the values of variables that are set', () => {
  const config = readConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    SECRETS_KEY: 'ab'.repeat(32),
    TARGET_ALLOW: '10.0.0.0/8, ::1, 127.0.0.1',
    RATE_LIMIT_PER_SECOND: '2.5',
  });
  assert.is(config.port, 0);
  assert.is(config.logLevel, 'silent');
  assert.equal(config.secretsKey, Buffer.alloc(32, 0xab));
  assert.is(config.targetAllow, '10.0.0.0/8, ::1, 127.0.0.1');
  assert.is(config.rateLimitPerSecond, 2.5);
});

test('the configuration normalizes PUBLIC_DOMAIN like the host of a request', () => {
  const read = (PUBLIC_DOMAIN: string) => readConfig({ PUBLIC_DOMAIN }).publicDomain;
  assert.is(readConfig({}).publicDomain, null);
  assert.is(read('Status.Example.ORG.'), 'status.example.org');
  assert.is(read('пример.рф'), 'xn--e1afmkfd.xn--p1ai');
  assert.is(read('localhost'), 'localhost');
  for (const wrong of ['https://example.org', 'example.org:8080', '*.example.org', '192.0.2.1', 'a..b', '.org']) {
    assert.is(
      refused({ PUBLIC_DOMAIN: wrong }),
      `PUBLIC_DOMAIN must be a domain such as status.example.org, not "${wrong}".`,
    );
  }
  const long = (length: number) => 'a.'.repeat(length / 2).slice(0, -1);
  assert.is(read(long(190)), long(190));
  assert.is(refused({ PUBLIC_DOMAIN: long(192) }), 'PUBLIC_DOMAIN must have at most 189 characters.');
});

test('the configuration accepts three or more anchors with their ports', () => {
  assert.is(readConfig({}).runnerAnchors, null);
  const { runnerAnchors } = readConfig({ RUNNER_ANCHORS: '192.0.2.1:53, [2001:db8::1]:53,dns.example:853' });
  assert.equal(
    runnerAnchors?.map(({ host, port }) => `${host} ${port}`),
    ['192.0.2.1 53', '2001:db8::1 53', 'dns.example 853'],
  );
  assert.match(refused({ RUNNER_ANCHORS: 'a:1,b:1' }), 'at least 3');
  assert.match(refused({ RUNNER_ANCHORS: 'a:1,b:1,a:1' }), 'at least 3');
  assert.match(refused({ RUNNER_ANCHORS: 'a:1,b:1,c' }), '"c" is not one');
});

test('the configuration accepts regions by alias or id, and lists each region once', () => {
  const ids = (REGIONS: string) => readConfig({ REGIONS }).regions?.map(({ id }) => id);
  assert.equal(ids('eu-west1, in-mum1,eu-bel1'), ['EU, West', 'IN, Mumbai']);
  assert.equal(ids('EU, West; RU, Moscow'), ['EU, West', 'RU, Moscow']);
  assert.equal(ids('EU, West'), ['EU, West']);
});

test('the configuration rejects an unknown value with an error message that names the variable', () => {
  const unknown: [string, string][] = [
    ['PORT', '65536'],
    ['PORT', '80a'],
    ['PORT', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['REGIONS', 'eu-west1,atlantis'],
    ['REGIONS', 'eu-west1,private-a1b2c3d4e5f6'],
    ['RUNNER_CONCURRENCY', '0'],
    ['RESULT_RETENTION_DAYS', '1.5'],
    ['TARGET_POLICY', 'PUBLIC'],
    ['TARGET_ALLOW', '10.0.0.0/33'],
    ['TARGET_DENY', 'example.com'],
    ['SCRIPT_PORTS', '80,http'],
    ['SCRIPT_PORTS', '443,2000-1000'],
    ['RATE_LIMIT_PER_SECOND', '0'],
    ['READ_YOUR_WRITES_TIMEOUT_MS', 'soon'],
    ['ADMIN_API_KEY', 'two words'],
    ['ADMIN_API_KEY', `uta_${'a'.repeat(43)}`],
    ['SECRETS_KEY', 'short'],
    ['MONGODB_URL', 'http://localhost'],
    ['RDAP_BOOTSTRAP_URL', 'ftp://localhost/'],
    ['RDAP_BOOTSTRAP_URL', 'http://'],
    ['WHOIS_SERVER', 'whois.test:0'],
    ['WHOIS_SERVER', 'a b'],
    ...[
      'uptrail',
      '.',
      '.uptrail.',
      'up-trail.',
      'up..trail.',
      'up*.',
      'ü.',
      '$uptrail.',
      'None',
      `${'a'.repeat(64)}.`,
    ].map((prefix): [string, string] => ['EVENTSTOREDB_PREFIX', prefix]),
  ];
  for (const [name, value] of unknown) assert.match(refused({ [name]: value }), new RegExp(`^${name} .+\\.$`));
});

test('the configuration of a cluster has a prefix for streams by default, which can be disabled', () => {
  const prefix = (EVENTSTOREDB_PREFIX?: string) => readConfig({ EVENTSTOREDB_PREFIX }).eventStoreDbPrefix;
  assert.is(prefix(), 'uptrail.');
  assert.is(prefix('status_2.'), 'status_2.');
  assert.is(prefix('uptrail.B.'), 'uptrail.B.');
  assert.is(prefix('none'), '');
});

test('the configuration contains the URLs of domain registries, which can be changed', () => {
  const whois = (WHOIS_SERVER?: string) => readConfig({ WHOIS_SERVER }).whoisServer;
  assert.equal(whois(), { host: 'whois.iana.org', port: 43 });
  assert.equal(whois('[::1]:4343'), { host: '::1', port: 4343 });
  assert.is(readConfig({}).rdapBootstrapUrl, 'https://data.iana.org/rdap/dns.json');
});

test('an error about the configuration does not contain a rejected secret', () => {
  assert.not.match(refused({ SECRETS_KEY: 'hunter2' }), 'hunter2');
  assert.not.match(refused({ ADMIN_API_KEY: 'hunter 2' }), 'hunter');
});

test('an error about the configuration names all invalid variables', () => {
  assert.is(refused({ PORT: 'x', LOG_LEVEL: 'y' }).split('\n').length, 2);
});

test('the configuration requires both URLs of a cluster or neither, and also requires the shared key of the processes if both are set', () => {
  const EVENTSTOREDB_URL = 'esdb://127.0.0.1:2113?tls=false';
  const MONGODB_URL = 'mongodb://127.0.0.1';
  assert.match(refused({ EVENTSTOREDB_URL }), 'EVENTSTOREDB_URL is set without MONGODB_URL.');
  assert.match(refused({ MONGODB_URL }), 'MONGODB_URL is set without EVENTSTOREDB_URL.');
  assert.match(refused({ EVENTSTOREDB_URL, MONGODB_URL }), 'SECRETS_KEY must be set in a cluster');
  const SECRETS_KEY = '00'.repeat(32);
  assert.ok(isCluster(readConfig({ EVENTSTOREDB_URL, MONGODB_URL, SECRETS_KEY })));
  assert.not(isCluster(readConfig({})));
});

test('the configuration accepts only URLs with supported protocols', () => {
  assert.match(
    refused({ EVENTSTOREDB_URL: 'kurrentdb://127.0.0.1:2113' }),
    'EVENTSTOREDB_URL must be a URL that begins with esdb:// or esdb+discover://.',
  );
});

test.run();
