import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isCluster, readConfig } from '../../service/config/config.ts';
import { uptrail } from '../e2e/program.ts';
import {
  alternatives,
  environmentWith,
  filledIn,
  madeEnvironment,
  networks,
  duties,
  services,
  volumes,
} from './compose.ts';
import { builtFrom, environmentOf, stagesOf } from './dockerfile.ts';
import { inProject, run } from './project.ts';

const test = suite('compose.yaml');

test('compose.yaml conforms to the schema and to the rules of dclint', async () => {
  const { code, output } = await run('node_modules/.bin/dclint', ['--max-warnings', '0', 'compose.yaml']);
  assert.is(code, 0, output);
});

test('compose.yaml has both stores and one service for each duty', () => {
  assert.equal(
    duties.map(([name, { command }]) => [name, command?.[0]]),
    ['api', 'project', 'run', 'schedule'].map((duty) => [duty, duty]),
  );
  assert.equal(
    Object.entries(services).flatMap(([name, { image }]) => (image?.startsWith('uptrail') ? [] : [name])),
    ['eventstoredb', 'mongodb'],
  );
});

test('compose.yaml has a privileged service for scans and scripts, which replaces the unprivileged one', () => {
  assert.equal(
    alternatives.map(([name, { profiles }]) => [name, profiles]),
    [['run-privileged', ['privileged']]],
  );
  const plain = services['run'] ?? {};
  const privileged = services['run-privileged'] ?? {};
  const differing = Object.keys({ ...plain, ...privileged }).filter(
    (name) =>
      JSON.stringify(plain[name as keyof typeof plain]) !== JSON.stringify(privileged[name as keyof typeof plain]),
  );
  assert.equal(differing.sort(), [
    ...['build', 'cap_add', 'entrypoint', 'environment', 'image', 'mem_limit', 'pids_limit', 'profiles'],
    ...['security_opt', 'sysctls', 'tmpfs', 'user'],
  ]);
  assert.equal([plain.cap_drop, plain.cap_add, plain.user], [['ALL'], undefined, undefined]);
  assert.equal(privileged.build, { context: '.', target: 'scripts' });
  assert.equal(
    Object.keys(privileged.environment ?? {}).filter((name) => !(name in (plain.environment ?? {}))),
    ['RUNNER_BROWSERS'],
  );
});

test('compose.yaml gives the service for scripts the rights that its sandboxes need, and no way to gain other rights', () => {
  const { security_opt = [], tmpfs, read_only, cap_drop } = services['run-privileged'] ?? {};
  assert.equal(security_opt, [
    'no-new-privileges:true',
    'apparmor=unconfined',
    'seccomp=deploy/seccomp-scripts.json',
    'systempaths=unconfined',
  ]);
  assert.equal([read_only, cap_drop, tmpfs], [true, ['ALL'], ['/tmp:size=1g']]);
});

test('compose.yaml refers only to declared networks, volumes and services', () => {
  for (const [name, service] of Object.entries(services)) {
    for (const network of service.networks ?? []) assert.ok(network in networks, `${name}: ${network}`);
    for (const volume of service.volumes ?? [])
      assert.ok((volume.split(':')[0] ?? '') in volumes, `${name}: ${volume}`);
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      assert.ok(services[other]?.healthcheck, `${name}: ${other}`);
      assert.is(condition, 'service_healthy');
    }
  }
});

test('the stores in compose.yaml are reachable by Uptrail’s services only, and store their data in volumes', () => {
  for (const name of ['eventstoredb', 'mongodb']) {
    const store = services[name] ?? {};
    assert.equal(store.networks, ['stores']);
    assert.is(store.ports, undefined);
    assert.ok(store.volumes && store.volumes.length > 0);
  }
  assert.is(networks['stores']?.internal, true);
  for (const [, { ports = [] }] of duties) for (const port of ports) assert.match(port, /^127\.0\.0\.1:/);
});

test('every duty in compose.yaml is configured for a cluster, and takes secrets only from the file .env', async () => {
  const made = await madeEnvironment();
  assert.equal(Object.keys(made).sort(), ['ADMIN_API_KEY', 'MONGODB_PASSWORD', 'SECRETS_KEY']);
  const other = await madeEnvironment();
  for (const [name, value] of Object.entries(made)) assert.is.not(other[name], value);

  const image = environmentOf(builtFrom(stagesOf(inProject('Dockerfile'))));
  for (const [name, service] of [...duties, ...alternatives]) {
    const config = readConfig({ ...image, ...environmentWith(service, made) });
    assert.ok(isCluster(config), name);
    assert.is(config.eventStoreDbUrl, 'esdb://eventstoredb:2113?tls=false');
    assert.is(config.eventStoreDbPrefix, 'uptrail.');
    assert.is(new URL(config.mongoDbUrl).host, 'mongodb:27017');
    assert.is(config.adminApiKey, name === 'api' ? made['ADMIN_API_KEY'] : null);
    assert.throws(() => environmentWith(service, {}), /is not set/);
  }
  const { environment = {} } = services['mongodb'] ?? {};
  assert.is(filledIn(environment['MONGO_INITDB_ROOT_PASSWORD'] ?? '', made), made['MONGODB_PASSWORD']);
});

test('the program accepts the command of every duty in compose.yaml', async () => {
  const commands = duties.map(([, { command = [] }]) => command);
  const answers = await Promise.all(commands.map((command) => uptrail({}, ...command)));
  for (const [index, { code, stderr }] of answers.entries()) {
    assert.is(code, 1);
    assert.match(
      stderr,
      `uptrail ${commands[index]?.[0] ?? ''} is one process of a cluster and requires EVENTSTOREDB_URL`,
    );
  }
});

test('compose.yaml gives each process enough time for a clean stop', () => {
  for (const [, { stop_grace_period, read_only }] of [...duties, ...alternatives]) {
    assert.is(stop_grace_period, '25s');
    assert.is(read_only, true);
  }
});

test.run();
