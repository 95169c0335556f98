import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { startUpkeep } from '../../../service/schedule/upkeep.ts';

const test = suite('the upkeep job');

test('the upkeep job first removes what dead writers have left behind, and a stop of the job waits for this removal', async () => {
  const logged: unknown[][] = [];
  const log = (...words: unknown[]): void => {
    logged.push(words);
  };
  for (const sweep of [async () => 3, async () => 0, () => Promise.reject(new Error('The disk is gone.'))]) {
    const logger = { info: log, warn: log };
    const stop = startUpkeep({
      coordination: createMemoryCoordination(),
      artifacts: { sweep },
      clock: Date.now,
      logger,
    });
    await stop();
  }
  assert.equal(
    logged.map((words) => words.at(-1)),
    ['incomplete artifacts were removed', 'incomplete artifacts could not be removed'],
  );
});

test.run();
