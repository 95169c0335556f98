import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { excessOf, excessOfSandbox } from '../../../../../probes/script/sandbox/limits/supervisor.ts';

const test = suite('sandbox limits without a cgroup');

const NOTHING = { memory: 0, tasks: 0, processes: 0 } as Parameters<typeof excessOfSandbox>[1];

test('limits without a cgroup count only the sandbox’s own processes, even before its mounts are complete', async () => {
  assert.is(await excessOf([process.pid], NOTHING), 'processes');
  assert.is(await excessOfSandbox(process.pid, NOTHING), null);
});

test.run();
