import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { HandedRun } from '../../../runners/remote/protocol.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { eventually } from '../../waiting.ts';
import { requestRun } from '../polling.ts';
import { serve, type RunningProgram } from '../program.ts';
import { messageOf, type RunnerResponse, type HostileRunner } from './hostile-runner.ts';
import { ADMIN_API_KEY, createRunner, otherOrganization, type CreatedRunner } from './remote.ts';

/** A service with a runner of the first organization, and a runner of another organization. */
export interface HostileStage {
  service: RunningProgram;
  own: CreatedRunner;
  foreign: CreatedRunner;
  /** API key of the other organization */
  key: string;
}

export const onHostileStage = (body: (stage: HostileStage) => Promise<void>) =>
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: folder, ADMIN_API_KEY };
    const service = await serve(environment);
    const key = await otherOrganization(environment);
    const own = await createRunner(service, { name: 'Own' });
    const foreign = await createRunner(service, { name: 'Foreign' }, key);
    await body({ service, own, foreign, key });
    await isWell(service);
    assert.is((await service.end('SIGTERM')).code, 0);
  });

/** Asserts that the service responds, has logged no errors, and uses a limited amount of memory. */
const isWell = async ({ address, output, pid }: RunningProgram): Promise<void> => {
  assert.is((await fetch(`${address}/health/live`)).status, 200);
  assert.not.match(`${output.stdout}${output.stderr}`, /"level":(?:50|60)/);
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  assert.ok(Number(kilobytes) < 600_000, `${kilobytes} kB`);
};

/** Asserts the status and the error message of a refusal. */
export const refusedWith = (response: RunnerResponse, status: number, sentence: RegExp | string, what = ''): void => {
  assert.is(response.status, status, `${what} ${JSON.stringify(response.body)}`);
  if (typeof sentence === 'string') assert.is(messageOf(response), sentence, what);
  else assert.match(messageOf(response), sentence, what);
};

/** Requests a run of a check, and waits until the run is assigned to the runner. The run is not reported yet. */
export const assignedRun = async (
  service: RunningProgram,
  runner: HostileRunner,
  check: { path: string },
  key: string,
): Promise<{ run: HandedRun; job: string }> => {
  const before = runner.runs().length;
  const job = await requestRun(service, key, `${check.path}/execute`);
  const run = await eventually(() => runner.runs().at(before));
  return { run, job };
};
