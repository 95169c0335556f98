import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readVariables } from '../../service/config/config.ts';
import { reservedNow, watchReserved, type Sources } from '../../service/reserved-endpoints.ts';
import { fakeClock } from '../network/fake-clock.ts';
import { resolveIn } from '../probes/run-context.ts';
import { MINUTE_MS } from '../../domain/time.ts';

const reserving = suite('endpoints that checks must not reach');

const config = readVariables(
  { EVENTSTOREDB_URL: 'esdb://events.test', MONGODB_URL: 'mongodb+srv://db.test', SMTP_URL: 'smtp://mail.test:2525' },
  ['eventStoreDbUrl', 'mongoDbUrl', 'smtpUrl', 'mailFrom', 'otlpEndpoint'],
);

/** Starts a watch of reserved endpoints. Tests change `hosts`, the addresses of its host names. */
const stage = async () => {
  const hosts: Record<string, readonly string[]> = {
    'events.test': ['10.0.0.1'],
    'one.db.test': ['10.0.0.2'],
    'mail.test': ['10.0.0.3', 'fd00::3'],
  };
  const sources: Sources = {
    resolve: resolveIn(hosts),
    resolveServers: async (name) =>
      name === '_mongodb._tcp.db.test' ? [{ name: 'one.db.test', port: 27_018 }] : Promise.reject(new Error(name)),
    machine: () => ['192.168.1.5'],
  };
  const warnings: string[] = [];
  const clock = fakeClock(0);
  const logger = { warn: (_: object, message: string) => warnings.push(message) };
  const watch = await watchReserved({ config, logger: logger as never, clock, sources });
  let changes = 0;
  watch.onChange(() => (changes += 1));
  return { hosts, sources, warnings, watch, pass: clock.advance, changes: () => changes };
};

const places = ({ reserved }: { reserved: readonly { address: string; port: number }[] }): string[] =>
  reserved.map(({ address, port }) => `${address} ${port}`);

const FIRST = ['10.0.0.1 2113', '10.0.0.2 27018', '10.0.0.3 2525', 'fd00::3 2525'];

reserving("reserved endpoints are all addresses of the service's own servers", async () => {
  const { watch, sources } = await stage();
  assert.equal(places(watch.now()), FIRST);
  assert.equal(watch.now().machine, ['192.168.1.5']);
  watch.stop();
  assert.equal(places(await reservedNow(config, sources)), FIRST);
});

reserving('reserved endpoints follow changes in the DNS, and earlier addresses stay reserved for an hour', async () => {
  const { watch, hosts, pass, changes } = await stage();
  hosts['events.test'] = ['10.0.0.9'];
  await pass(MINUTE_MS);
  assert.equal(places(watch.now()), ['10.0.0.1 2113', '10.0.0.9 2113', ...FIRST.slice(1)]);
  assert.is(changes(), 1);
  await pass(MINUTE_MS);
  assert.is(changes(), 1);
  for (let minutes = 0; minutes < 61; minutes++) await pass(MINUTE_MS);
  assert.equal(places(watch.now()), ['10.0.0.9 2113', ...FIRST.slice(1)]);
  watch.stop();
});

reserving('reserved endpoints do not change while a look-up fails, and the failure is logged once', async () => {
  const { watch, hosts, pass, warnings } = await stage();
  delete hosts['events.test'];
  for (let minutes = 0; minutes < 90; minutes++) await pass(MINUTE_MS);
  assert.equal(places(watch.now()), FIRST);
  assert.is(warnings.length, 1);
  hosts['events.test'] = ['10.0.0.8'];
  await pass(MINUTE_MS);
  assert.ok(places(watch.now()).includes('10.0.0.8 2113'));
  watch.stop();
});

reserving('reserved endpoints include the addresses and ports on which the process listens', async () => {
  const { watch, changes } = await stage();
  assert.equal(watch.now().listeners, []);
  watch.listening([{ address: '127.0.0.1', port: 3_000 }]);
  assert.equal(watch.now().listeners, [{ address: '127.0.0.1', port: 3_000 }]);
  assert.is(changes(), 1);
  watch.stop();
});

reserving('reserved endpoints are no longer looked up after the service has stopped', async () => {
  const { watch, hosts, pass, changes } = await stage();
  watch.stop();
  hosts['events.test'] = ['10.0.0.9'];
  await pass(10 * MINUTE_MS);
  assert.is(changes(), 0);
});

reserving.run();
