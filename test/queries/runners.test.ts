import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listAllRunners, listPrivateLocations, listRunners } from '../../queries/runners.ts';
import { runnerCreated, runnerRevoked } from '../domain/runner/examples.ts';
import type { Fact } from '../projections/history.ts';
import { OTHER_ORGANIZATION, scopeOf } from './engine/scope.ts';

const test = suite('queries about remote runners');

const named = (runner_id: string, name: string, region: string) =>
  runnerCreated({
    runner_id,
    name,
    region,
    private: region.startsWith('private-'),
    token_hash: `hash of ${runner_id}`,
  });
const ofRunner = <F extends Fact>(fact: F, runner_id: string): F => ({ ...fact, data: { ...fact.data, runner_id } });

test('a private location has the name of its oldest runner that is not revoked', async () => {
  const facts: Fact[] = [
    named('one', 'Office', 'private-one'),
    named('two', 'Second in the office', 'private-one'),
    named('three', 'Cellar', 'private-three'),
    named('four', 'Dublin', 'EU, West'),
  ];
  const locations = (...more: Fact[]) => listPrivateLocations(scopeOf([...facts, ...more]));
  const cellar = { id: 'private-three', name: 'Cellar' };
  assert.equal(await locations(), [{ id: 'private-one', name: 'Office' }, cellar]);
  assert.equal(await locations(ofRunner(runnerRevoked, 'one')), [
    { id: 'private-one', name: 'Second in the office' },
    cellar,
  ]);
  assert.equal(await locations(ofRunner(runnerRevoked, 'one'), ofRunner(runnerRevoked, 'two')), [cellar]);
});

test('the runners of an organization are listed newest first', async () => {
  const facts = [named('one', 'Office', 'private-one'), named('two', 'Cellar', 'private-two')];
  const scope = scopeOf(facts);
  assert.equal(
    (await listRunners(scope)).map(({ id }) => id),
    ['two', 'one'],
  );
  assert.is((await listRunners({ ...scope, organizationId: OTHER_ORGANIZATION })).length, 0);
  assert.is((await listAllRunners(scope)).length, 2);
});

test.run();
