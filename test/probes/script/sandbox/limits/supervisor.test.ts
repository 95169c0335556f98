import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { excessOf, excessOfSandbox } from '../../../../../probes/script/sandbox/limits/supervisor.ts';

const test = suite('limits of a sandbox that no control group has');

const NOTHING = { memory: 0, tasks: 0, processes: 0 } as Parameters<typeof excessOfSandbox>[1];

test('count its own processes only: none of this machine, whose root it has until its mounts are made', async () => {
  assert.is(await excessOf([process.pid], NOTHING), 'processes');
  assert.is(await excessOfSandbox(process.pid, NOTHING), null);
});

test.run();
