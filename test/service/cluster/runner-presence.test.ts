import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { announceRunner, followRunners, type AnnouncedRunners } from '../../../service/cluster/runner-presence.ts';
import { REGIONS, regionOf, type Region } from '../../../domain/check/regions.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import type { Coordination } from '../../../stores/coordination/port.ts';
import { eventually } from '../../waiting.ts';

const test = suite('runners of other processes');

const region = (alias: string): Region => {
  const found = regionOf(alias);
  if (!found) throw new Error(alias);
  return found;
};

const EU = region('eu-west1');
const BR = region('br-sao1');

const following = new Set<AnnouncedRunners>();
const ends: (() => Promise<void>)[] = [];

const follow = (coordination: Coordination, monotonic = () => 0, served: readonly Region[] = REGIONS) => {
  const runners = followRunners({ coordination, served, monotonic });
  following.add(runners);
  return runners;
};

/**
 * Announces a runner, and waits until the announcement is stored.
 *
 * @returns a function that withdraws the announcement
 */
const announce = async (
  coordination: Coordination,
  identity: string,
  regions: Region[],
  types: ('web' | 'tcp' | 'icmp')[],
) => {
  const end = announceRunner({ coordination, identity, regions: () => regions, types });
  ends.push(end);
  await eventually(
    async () =>
      (await coordination.readByPrefix('runner:')).filter(({ name }) => name.endsWith(identity)).length >=
      regions.length,
  );
  return end;
};

test.after.each(async () => {
  for (const runners of following) runners.stop();
  for (const end of ends.splice(0)) await end();
});

test('the abilities of runners of other processes are known for each region', async () => {
  const coordination = createMemoryCoordination();
  await announce(coordination, 'one', [EU, BR], ['web']);
  await announce(coordination, 'two', [EU], ['tcp', 'web']);
  const abilities = await follow(coordination).abilities();
  assert.equal(
    [...abilities],
    [
      ['EU, West', ['web', 'tcp']],
      ['BR, Sao Paulo', ['web']],
    ],
  );
});

test('runners of other processes no longer count after they have withdrawn their announcement', async () => {
  const coordination = createMemoryCoordination();
  const end = await announce(coordination, 'one', [EU], ['web']);
  const runners = follow(coordination);
  assert.is((await runners.abilities()).size, 1);
  await end();
  assert.is((await runners.abilities()).size, 0);
});

test('runners of other processes stop counting 15 seconds after their newest announcement, and count again with the next one', async () => {
  const coordination = createMemoryCoordination();
  let now = 0;
  const runners = follow(coordination, () => now);
  const announceBeat = (beat: number) =>
    coordination.write('runner:eu-west1:dead', JSON.stringify({ region: EU.id, types: ['web'], beat }));
  await announceBeat(1);
  assert.is((await runners.abilities()).size, 1);
  now = 14_999;
  assert.is((await runners.abilities()).size, 1);
  now = 15_000;
  assert.is((await runners.abilities()).size, 0);
  await announceBeat(2);
  assert.is((await runners.abilities()).size, 1);
});

test('runners of other processes count only for served regions, with the types that this release knows', async () => {
  const coordination = createMemoryCoordination();
  const announcement = { region: EU.id, types: ['web', 'telepathy'], beat: 1 };
  await coordination.write('runner:eu-west1:new', JSON.stringify(announcement));
  assert.equal([...(await follow(coordination).abilities())], [['EU, West', ['web']]]);
  assert.is((await follow(coordination, () => 0, [BR]).abilities()).size, 0);
});

test.run();
