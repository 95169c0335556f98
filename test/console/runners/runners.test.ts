import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { privateLocationsAmong } from '../../../queries/runners.ts';
import { reachOf, startCommands } from '../../../console/screens/runners/command.ts';
import { sortedRunners, locationNames, notableOffset } from '../../../console/screens/runners/order.ts';
import type { Runner } from '../../../console/screens/runners/source.ts';

const test = suite('the runner list in the console');

const runner = (fields: Partial<Runner>): Runner => ({
  id: 'k3v9x0q2m7ab',
  organization_id: 'acme',
  name: 'Office',
  region: 'private-k3v9x0q2m7ab',
  private: true,
  state: 'connected',
  version: null,
  address: null,
  last_contact_at: null,
  instances: 0,
  load: null,
  check_types: [],
  lacking: [],
  clock_offset_ms: null,
  alone: true,
  created_at: '2026-11-20T15:00:00',
  revoked_at: null,
  revision: 1,
  ...fields,
});

test('the runner list shows silent runners first, then all others by region and name', () => {
  const ids = sortedRunners([
    runner({ id: 'revoked', state: 'revoked' }),
    runner({ id: 'b', region: 'EU, West', name: 'B' }),
    runner({ id: 'a', region: 'EU, West', name: 'A' }),
    runner({ id: 'mumbai', region: 'IN, Mumbai', name: 'A' }),
    runner({ id: 'waiting', state: 'waiting' }),
    runner({ id: 'silent', state: 'silent', region: 'ZA, Johannesburg' }),
  ]).map(({ id }) => id);
  assert.equal(ids, ['silent', 'waiting', 'a', 'b', 'mumbai', 'revoked']);
});

test('the console shows a private location with the same name as the API', () => {
  const first = runner({ id: 'first', name: 'Cellar', revoked_at: '2026-11-21T15:00:00', state: 'revoked' });
  const second = runner({ id: 'second', name: 'Attic', created_at: '2026-11-20T15:00:02' });
  const third = runner({ id: 'third', name: 'Roof', created_at: '2026-11-20T15:00:01' });
  const all = [second, first, third, runner({ id: 'public', private: false, region: 'EU, West', name: 'Dublin' })];
  assert.equal([...locationNames(all)], [[first.region, 'Roof']]);
  assert.equal(
    privateLocationsAmong(all).map(({ id, name }) => [id, name]),
    [...locationNames(all)],
  );
});

test('a private location still has a name after all of its runners were revoked', () => {
  const revoked = { revoked_at: '2026-11-21T15:00:00', state: 'revoked' } as const;
  const all = [
    runner({ ...revoked, id: 'second', name: 'Attic', created_at: '2026-11-20T15:00:02' }),
    runner({ ...revoked, id: 'first', name: 'Cellar' }),
  ];
  assert.is(locationNames(all).get('private-k3v9x0q2m7ab'), 'Cellar');
});

test('the clock offset of a runner is shown if it is a second or more in either direction', () => {
  const offsets = [null, 0, 999, -999, 1_000, -3_600_000].map((clock_offset_ms) => notableOffset({ clock_offset_ms }));
  assert.equal(offsets, [null, null, null, null, 1, -3_600]);
});

test("the console warns if its URL can't be used by runners, or only by those on the same machine", () => {
  const reaches = [
    'https://uptrail.example.org/',
    'http://uptrail.example.org/',
    'http://127.0.0.1:3000/',
    'http://[::1]:3000/',
    'https://localhost/',
  ].map((url) => reachOf(new URL(url)));
  assert.equal(reaches, ['everywhere', 'nowhere', 'this machine', 'this machine', 'this machine']);
});

test('the start command of a runner prompts for the token, and quotes the URL for the shell', () => {
  const { npx, docker } = startCommands(new URL('https://uptrail.example.org/monitoring/'));
  assert.match(npx, /read -rs UPTRAIL_RUNNER_TOKEN && export UPTRAIL_RUNNER_TOKEN && npx uptrail run --server/);
  assert.ok(npx.endsWith(' --server https://uptrail.example.org/monitoring'));
  assert.match(docker, / -e UPTRAIL_RUNNER_TOKEN /);
  assert.not.match(npx + docker, '--token');
  assert.ok(startCommands(new URL("https://example.org/a;b'c/")).npx.endsWith(` 'https://example.org/a;b'\\''c'`));
  assert.ok(startCommands(new URL('http://[::1]:3000/')).npx.endsWith(` 'http://[::1]:3000'`));
});

test.run();
