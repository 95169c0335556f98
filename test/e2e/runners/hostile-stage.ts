import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { HandedRun } from '../../../runners/remote/protocol.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { eventually } from '../../waiting.ts';
import { execute } from '../polling.ts';
import { serve, type Program } from '../program.ts';
import { messageOf, type Answer, type HostileRunner } from './hostile-runner.ts';
import { ADMIN_API_KEY, createRunner, otherOrganization, type CreatedRunner } from './remote.ts';

/** A service with a runner of the first organization, and one of another. */
export interface Stage {
  service: Program;
  own: CreatedRunner;
  foreign: CreatedRunner;
  /** of the other organization */
  key: string;
}

export const onStage = (body: (stage: Stage) => Promise<void>) =>
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

/** Asserts that it responds, has logged nothing unexpected, and has not grown without bound. */
const isWell = async ({ address, said, pid }: Program): Promise<void> => {
  assert.is((await fetch(`${address}/health/live`)).status, 200);
  assert.not.match(`${said.stdout}${said.stderr}`, /"level":(?:50|60)/);
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid.toString()}/status`, 'utf8')) ?? [];
  assert.ok(Number(kilobytes) < 600_000, `${kilobytes} kB`);
};

/** Asserts the status and the sentence of a refusal. */
export const refusedWith = (response: Answer, status: number, sentence: RegExp | string, what = ''): void => {
  assert.is(response.status, status, `${what} ${JSON.stringify(response.body)}`);
  if (typeof sentence === 'string') assert.is(messageOf(response), sentence, what);
  else assert.match(messageOf(response), sentence, what);
};

/** A run of a check in the runner's region that was assigned to it and is not reported yet. */
export const givenRun = async (
  service: Program,
  runner: HostileRunner,
  check: { path: string },
  key: string,
): Promise<{ run: HandedRun; job: string }> => {
  const before = runner.runs().length;
  const job = await execute(service, key, `${check.path}/execute`);
  const run = await eventually(() => runner.runs().at(before));
  return { run, job };
};
