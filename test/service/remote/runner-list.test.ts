import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunnerEvent } from '../../../domain/runner/events.ts';
import { runners } from '../../../projections/runners/projection.ts';
import { createRunnerList } from '../../../service/remote/runner-list.ts';
import * as facts from '../../domain/runner/examples.ts';
import { recorded, type Fact } from '../../projections/history.ts';
import { projection } from '../../projections/specification.ts';

const test = suite('the list of remote runners');

type Event = Parameters<ReturnType<typeof createRunnerList>['apply']>[0];
const HISTORY: readonly RunnerEvent[] = [
  facts.runnerCreated(),
  facts.runnerConnected(),
  facts.runnerRenamed('Berlin'),
  facts.runnerDisconnected(),
  facts.runnerRevoked,
  facts.runnerReleased,
];

test('the list of remote runners is the same whether its initial content comes from the read model or from the log', async () => {
  const events = recorded(HISTORY);
  for (let known = 0; known <= HISTORY.length; known++) {
    const list = createRunnerList();
    for (const document of await projection(runners)
      .given(...HISTORY.slice(0, known))
      .documents('runners'))
      list.add(document);
    const seen = [];
    for (let next = known; next <= HISTORY.length; next++) {
      seen.push(list.serving().map(({ name, wasConnected }) => [name, wasConnected]));
      if (next < HISTORY.length) list.apply(events[next] as Event);
    }
    const expected = [[], [['Office', false]], [['Office', true]], [['Berlin', true]], [['Berlin', true]], [], []];
    assert.equal(seen, expected.slice(known), known.toString());
    assert.is(list.remoteRegions().size, 0);
  }
});

test('a region of revoked runners stays remote until each of these runners is released', () => {
  const named = (runner_id: string, name: string) =>
    facts.runnerCreated({ runner_id, name, region: 'EU, West', private: false, token_hash: `hash of ${runner_id}` });
  const ofRunner = <F extends Fact>(fact: F, runner_id: string): F => ({ ...fact, data: { ...fact.data, runner_id } });
  const regionsAfter = (...more: Fact[]): string[] => {
    const list = createRunnerList();
    for (const event of recorded([named('one', 'Dublin'), named('other', 'Brussels'), ...more]))
      list.apply(event as Event);
    return [...list.remoteRegions()];
  };
  const revoked = [ofRunner(facts.runnerRevoked, 'one'), ofRunner(facts.runnerRevoked, 'other')];
  assert.equal(regionsAfter(), ['EU, West']);
  assert.equal(regionsAfter(...revoked), ['EU, West']);
  assert.equal(regionsAfter(...revoked, ofRunner(facts.runnerReleased, 'one')), ['EU, West']);
  assert.equal(
    regionsAfter(...revoked, ofRunner(facts.runnerReleased, 'one'), ofRunner(facts.runnerReleased, 'other')),
    [],
  );
});

test('the list of remote runners contains the organization of a private location', async () => {
  const [created] = recorded([facts.runnerCreated()]);
  const list = createRunnerList();
  list.apply(created as Event);
  const [runner] = list.serving();
  assert.equal(
    [runner?.organization_id, runner?.region, runner?.private],
    ['org000000001', `private-${facts.RUNNER}`, true],
  );
});

test.run();
