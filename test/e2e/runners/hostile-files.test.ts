import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers } from '../../probes/web/servers.ts';
import { createCheck } from '../checking.ts';
import { waitForOutcome } from '../polling.ts';
import { endPrograms } from '../program.ts';
import { connectHostile, outcomeWith } from './hostile-runner.ts';
import { onHostileStage, assignedRun, refusedWith } from './hostile-stage.ts';
import { ADMIN_API_KEY, createShopCheck, storedResults } from './remote.ts';

/** Time limit for the outcome of a job, in seconds. */
const SOON = 60;
/** A URL at which no server listens. */
const NOWHERE = 'http://127.0.0.1:9/';
const NOT_UNDERSTOOD = 'The runner has sent an invalid result.';

const test = suite('a hostile runner');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'a hostile runner cannot store more files than a run may have',
  onHostileStage(async ({ service, own }) => {
    const runner = await connectHostile(service, own.token, 'one');
    const check = await createCheck(service, ADMIN_API_KEY, {
      ...createShopCheck(own.region, NOWHERE),
      type: 'multistep',
      active: false,
      parameters: { regions: [own.region], pw_script: 'test("nothing", async () => {});' },
    });
    const { run, job } = await assignedRun(service, runner, check, ADMIN_API_KEY);
    const { delivery, ticket } = run;
    const MiB = 1_048_576;
    refusedWith(await runner.upload('x', Buffer.from('x')), 404, /not in progress/);
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => runner.upload(delivery, Buffer.alloc(20 * MiB))),
    );
    let taken = responses.filter(({ status }) => status === 201).length;
    assert.ok(taken <= 2, 'at most 50 MiB of a run');
    assert.ok(responses.every(({ status }) => status === 201 || status === 413));
    refusedWith(await runner.upload(delivery, Buffer.alloc(51 * MiB)), 413, /too large/);
    let staged = '';
    for (; taken < 20; taken += 1) {
      const { status, body } = await runner.upload(delivery, Buffer.from('<script>'));
      assert.is(status, 201);
      ({ staged } = body as { staged: string });
    }
    refusedWith(await runner.upload(delivery, Buffer.from('x')), 413, /at most 20 files/);

    const file = (changes: object): object => ({
      reference: 'file:0',
      role: 'screenshot',
      name: '../../etc/x";=".html',
      media_type: 'text/html',
      staged,
      size: 1,
      ...changes,
    });
    const resultWith = (named: string, files: object[]): object => ({
      delivery: named,
      ticket,
      age_ms: 0,
      outcome: outcomeWith({
        files,
        check_metadata: { full_logs: { name: 'x', contentType: 'text/html', url: 'file:0' } },
      }),
    });
    const wrong = [file({ name: 'x\r\nX: y' }), file({ media_type: 'text/html\r\nX: y' }), file({ media_type: 'x' })];
    assert.equal(
      await runner.reportJudged({ results: wrong.map((one) => resultWith('x', [one])) }),
      wrong.map(() => NOT_UNDERSTOOD),
    );
    const files = [
      file({}),
      file({ reference: 'file:1', staged: 'f'.repeat(32) }),
      file({ reference: 'file:2', staged: '../../secrets-key' }),
    ];
    assert.equal(await runner.reportJudged({ results: [resultWith(delivery, files)] }), [null]);
    assert.is((await waitForOutcome(service, ADMIN_API_KEY, job, SOON)).status, 'completed');
    const [stored, ...others] = await storedResults(service, `check_id=${check.id}`);
    assert.is(others.length, 0);
    const links = JSON.stringify(stored?.check_metadata).match(/\/v1\/artifacts\/[^"]+/g) ?? [];
    assert.is(links.length, 1, JSON.stringify(stored?.check_metadata));
    const kept = await fetch(`${service.address}${links[0] ?? ''}`);
    assert.is(kept.status, 200);
    assert.match(kept.headers.get('content-disposition') ?? '', /^attachment/);
    assert.match(kept.headers.get('content-security-policy') ?? '', /sandbox/);
  }),
);

test.run();
