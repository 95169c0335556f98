import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testWith } from '../../deploy/project.ts';
import { freePort } from '../../servers/ports.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { createCheck } from '../checking.ts';
import { createNginx, hasNginx } from '../nginx.ts';
import { waitForOutcome } from '../polling.ts';
import { endPrograms } from '../program.ts';
import { connectHostile, outcomeWith } from './hostile-runner.ts';
import { assignedRun, onHostileStage } from './hostile-stage.ts';
import { ADMIN_API_KEY, createShopCheck, storedResults } from './remote.ts';

const MiB = 1_048_576;

const proxied = suite('nginx between a remote runner and the service');
proxied.after.each(endPrograms);
if (!hasNginx()) console.log('skipped: nginx is not installed');
const test = testWith(proxied, hasNginx());

test(
  'nginx with the documented example settings forwards orders immediately, and accepts files of the maximum allowed size',
  onHostileStage(async ({ service, own }) => {
    const port = await freePort();
    await inTemporaryFolder(async (folder) => {
      const nginx = createNginx(folder, [{ port, proxyTo: Number(new URL(service.address).port) }]);
      await nginx.start();
      try {
        const runner = await connectHostile({ address: `http://127.0.0.1:${port}` }, own.token, 'one');
        const check = await createCheck(service, ADMIN_API_KEY, {
          ...createShopCheck(own.region, 'http://127.0.0.1:9/'),
          type: 'multistep',
          active: false,
          parameters: { regions: [own.region], pw_script: 'test("nothing", async () => {});' },
        });
        const { run, job } = await assignedRun(service, runner, check, ADMIN_API_KEY);
        const content = Buffer.alloc(49 * MiB, 'x');
        const { status, body } = await runner.upload(run.delivery, content);
        assert.is(status, 201, JSON.stringify(body));
        const { staged } = body as { staged: string };
        const [file, url] = [{ role: 'log', name: 'log.txt', media_type: 'text/plain' }, 'file:0'];
        const outcome = outcomeWith({
          files: [{ ...file, reference: url, staged, size: content.length }],
          check_metadata: { full_logs: { name: file.name, contentType: file.media_type, url } },
        });
        const { delivery, ticket } = run;
        assert.equal(await runner.reportJudged({ results: [{ delivery, ticket, age_ms: 0, outcome }] }), [null]);
        assert.is((await waitForOutcome(service, ADMIN_API_KEY, job, 60)).status, 'completed');
        const [stored] = await storedResults(service, `check_id=${check.id}`);
        const { url: link } = (stored?.check_metadata ?? {})['full_logs'] as { url: string };
        assert.is((await (await fetch(service.address + link)).arrayBuffer()).byteLength, content.length);
        runner.closeStream();
      } finally {
        await nginx.stop();
      }
    })();
  }),
);

proxied.run();
