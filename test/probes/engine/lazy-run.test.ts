import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Outcome, RunContext, RunnableCheck } from '../../../probes/engine/check-type.ts';
import { lazyRun } from '../../../probes/engine/lazy-run.ts';

const loading = suite('a check type whose modules load on demand');

loading('a check type that loads on demand loads its modules only once', async () => {
  let loads = 0;
  const run = lazyRun(async () => {
    loads += 1;
    return async ({ host }) => ({ error_message: host }) as Outcome;
  });
  assert.is(loads, 0);
  const outcomes = await Promise.all(['a', 'b'].map((host) => run({ host } as RunnableCheck, {} as RunContext)));
  assert.equal(
    outcomes.map(({ error_message }) => error_message),
    ['a', 'b'],
  );
  assert.is(loads, 1);
});

loading.run();
