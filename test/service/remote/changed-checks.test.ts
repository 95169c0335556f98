import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { followChangedChecks } from '../../../service/remote/changed-checks.ts';
import * as checks from '../../domain/check/examples.ts';
import * as groups from '../../domain/check-group/examples.ts';
import { recorded, type Fact } from '../../projections/history.ts';

const test = suite('reports of changed checks to remote runners');

const changedBy = async (...facts: Fact[]): Promise<string[]> => {
  const changed: string[] = [];
  await followChangedChecks({
    main: {
      subscribe: async function* () {
        yield recorded(facts);
      },
    },
    after: 0n,
    checksOf: async () => ['member000001', 'member000002'],
    changed: (id) => changed.push(id),
    trouble: (error) => {
      throw error;
    },
    signal: new AbortController().signal,
  });
  return changed;
};

test('a check is reported as changed if it is updated, grouped, parked or deleted, or if its secrets change', async () => {
  const { CHECK } = checks;
  const facts = [
    checks.checkUpdated({ interval: 60 }, { interval: 30 }),
    checks.checkGrouped(),
    checks.parked(),
    checks.secretsChanged([]),
    checks.checkDeleted,
  ];
  for (const fact of facts) assert.equal(await changedBy(fact), [CHECK], fact.type);
});

test('a check is not reported as changed if it is created or goes up or down', async () => {
  assert.equal(await changedBy(checks.checkCreated(), checks.cameUp(), checks.wentDown()), []);
});

test('the checks of a paused group are reported as changed, but not the checks of a resumed group', async () => {
  assert.equal(await changedBy(groups.paused), ['member000001', 'member000002']);
  assert.equal(await changedBy(groups.groupCreated(), groups.resumed), []);
});

test.run();
