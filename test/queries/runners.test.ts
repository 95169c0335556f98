import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { everyRunner, privateLocationsOf, remoteRegions, runnerByToken, runnersOf } from '../../queries/runners.ts';
import type { Read } from '../../projections/readers.ts';
import { followRemoteRegions } from '../../service/answer/registered-runners.ts';
import {
  NEXT_HASH,
  RUNNER,
  runnerCreated,
  runnerReleased,
  runnerRevoked,
  TOKEN_HASH,
  tokenRotated,
} from '../domain/runner/examples.ts';
import type { Fact } from '../projections/history.ts';
import { rejects } from '../rejects.ts';
import { OTHER_ORGANIZATION, scopeOf } from './engine/scope.ts';

const test = suite('queries about remote runners');

const UNTIL = '2026-11-21T15:00:00.000000';
const named = (runner_id: string, name: string, region: string) =>
  runnerCreated({
    runner_id,
    name,
    region,
    private: region.startsWith('private-'),
    token_hash: `hash of ${runner_id}`,
  });
const of = <F extends Fact>(fact: F, runner_id: string): F => ({ ...fact, data: { ...fact.data, runner_id } });

test('a token finds its runner until it is void', async () => {
  const facts = [runnerCreated(), tokenRotated(UNTIL)];
  const find = async (hash: string, given: Fact[], now = '2026-11-20T16:00:00.000000') => {
    const found = await runnerByToken(scopeOf(given, { now }), hash);
    return found && [found.runner.id, found.isFormer];
  };
  assert.equal(await find(TOKEN_HASH, facts), [RUNNER, true]);
  assert.equal(await find(NEXT_HASH, facts), [RUNNER, false]);
  assert.is(await find(TOKEN_HASH, facts, UNTIL), null);
  assert.is(await find(NEXT_HASH, [...facts, runnerRevoked]), null);
  assert.is(await find('unknown', facts), null);
});

test('a region stays remote when its runners are revoked, until each is released', async () => {
  const facts: Fact[] = [named('one', 'Dublin', 'EU, West'), named('other', 'Brussels', 'EU, West')];
  const regions = async (...more: Fact[]) => [...(await remoteRegions(scopeOf([...facts, ...more])))];
  const revoked = [of(runnerRevoked, 'one'), of(runnerRevoked, 'other')];
  assert.equal(await regions(), ['EU, West']);
  assert.equal(await regions(...revoked), ['EU, West']);
  assert.equal(await regions(...revoked, of(runnerReleased, 'one')), ['EU, West']);
  assert.equal(await regions(...revoked, of(runnerReleased, 'one'), of(runnerReleased, 'other')), []);
});

test('private locations are called like their oldest runner that is not revoked', async () => {
  const facts: Fact[] = [
    named('one', 'Office', 'private-one'),
    named('two', 'Second in the office', 'private-one'),
    named('three', 'Cellar', 'private-three'),
    named('four', 'Dublin', 'EU, West'),
  ];
  const locations = (...more: Fact[]) => privateLocationsOf(scopeOf([...facts, ...more]));
  const cellar = { id: 'private-three', name: 'Cellar' };
  assert.equal(await locations(), [{ id: 'private-one', name: 'Office' }, cellar]);
  assert.equal(await locations(of(runnerRevoked, 'one')), [
    { id: 'private-one', name: 'Second in the office' },
    cellar,
  ]);
  assert.equal(await locations(of(runnerRevoked, 'one'), of(runnerRevoked, 'two')), [cellar]);
});

test('an organization has its own runners, newest first', async () => {
  const facts = [named('one', 'Office', 'private-one'), named('two', 'Cellar', 'private-two')];
  const scope = scopeOf(facts);
  assert.equal(
    (await runnersOf(scope)).map(({ id }) => id),
    ['two', 'one'],
  );
  assert.is((await runnersOf({ ...scope, organizationId: OTHER_ORGANIZATION })).length, 0);
  assert.is((await everyRunner(scope)).length, 2);
});

test('remote regions are read again only after the read model has gone on, or could not be read', async () => {
  const { read } = scopeOf([named('one', 'Dublin', 'EU, West')]);
  const state = { position: '1', reads: 0, fails: false };
  const regions = followRemoteRegions({
    positions: () => state.position,
    for: () =>
      ((projection) => {
        state.reads += 1;
        if (state.fails) throw new Error('The read model can not be read.');
        return read(projection);
      }) as Read,
  });
  assert.equal([...(await regions())], ['EU, West']);
  await Promise.all([regions(), regions()]);
  assert.is(state.reads, 1);
  state.position = '2';
  state.fails = true;
  await rejects(regions(), Error, 'The read model can not be read.');
  state.fails = false;
  assert.equal([...(await regions())], ['EU, West']);
  assert.is(state.reads, 3);
});

test.run();
