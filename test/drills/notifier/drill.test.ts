import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Delivery } from '../../../domain/delivery/state.ts';
import { callApi, endPrograms, programBuiltIn, startOne, uptrail, type RunningProgram } from '../../e2e/program.ts';
import { closeServers } from '../../probes/web/servers.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { addedFiles, copyWith, runNode } from '../copy.ts';
import { DRILL, EDITS } from './edits.ts';
import { openLineTarget } from './targets.ts';
import { inProject } from '../../project.ts';
import { eventually } from '../../waiting.ts';
/** Time limit within which failed messages are retried. The first retry happens after some seconds. */
const IN_TIME = { within: 120_000 };

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const drill = suite('adding a notifier with a cause');
const copy = copyWith(DRILL, EDITS);
drill.after(() => {
  copy.remove();
});
drill.after.each(endPrograms);
drill.after.each(closeServers);

const PAGE = 'docs/develop/add-notifier.md';

drill(
  'a new notifier with its cause needs three new files and lines in three files, and the documentation names each of them',
  () => {
    const page = readFileSync(inProject(PAGE), 'utf8');
    const names: Record<string, string> = {
      line: 'notifier',
      'opened-incidents': 'causes',
      'incident-opened': 'cause',
    };
    const added = addedFiles(DRILL).map((file) =>
      file.replace(/opened-incidents|incident-opened|line/, (name) => `<${names[name] ?? ''}>`),
    );
    assert.equal(added, [
      'notifiers/<notifier>/index.ts',
      'projections/<causes>/projection.ts',
      'reactors/delivery/<cause>.ts',
    ]);
    for (const place of [...added, ...EDITS.map(({ file }) => file)])
      assert.ok(page.includes(`\`${place}\``), `${PAGE} does not name ${place}.`);
  },
);

drill('a product with a new notifier compiles', async () => {
  await runNode(copy.folder, 'node_modules/typescript/bin/tsc', '--noEmit', '--project', 'tsconfig.drill.json');
});

drill('a product with a new notifier obeys the import rules', async () => {
  const folders = ['notifiers', 'reactors', 'projections', 'service'];
  await runNode(
    copy.folder,
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    ...folders,
    '--output-type',
    'err',
  );
});

drill(
  'a new notifier reaches every receiver in spite of kill -9, with one message id each, and dead receivers do not delay the others',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY };
    const start = (): Promise<RunningProgram> => startOne(['serve'], environment, programBuiltIn(copy.folder));
    const good = await Promise.all(Array.from({ length: 8 }, () => openLineTarget('ok')));
    const dead = await openLineTarget(null);
    const gone = await openLineTarget('no');

    let program = await start();
    const make = async (path: string, body: object): Promise<string> => {
      const response = await callApi(program, ADMIN_API_KEY, 'POST', path, body);
      assert.ok(response.status < 300, JSON.stringify(response.body));
      return (response.body as { id: string }).id;
    };
    const page = await make('/v1/pages', { name: 'Shop' });
    // Components with dead receivers come first, because they must not delay messages to the other receivers.
    for (const { port } of [dead, dead, dead, dead, dead, gone, ...good]) {
      await make(`/v1/pages/${page}/components`, { name: 'Target', description: `127.0.0.1:${port}` });
    }
    await make(`/v1/pages/${page}/incidents`, {
      name: 'Outage',
      body: 'We look.',
      status: 'investigating',
      components: {},
    });
    const everyGood = (): boolean => good.every(({ received: received }) => received.length > 0);
    // Kills the program while it plans and sends messages, and again after every working target has received one.
    await eventually(() => good.some(({ received: received }) => received.length > 0), IN_TIME);
    await program.end('SIGKILL');
    program = await start();
    await eventually(everyGood, IN_TIME);
    await program.end('SIGKILL');
    program = await start();

    const listed = async (): Promise<Delivery[]> => {
      const { stdout } = await uptrail(environment, 'deliveries', '--json');
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Delivery);
    };
    const count = (deliveries: readonly Delivery[], status: Delivery['status']): number =>
      deliveries.filter((delivery) => delivery.status === status).length;
    await eventually(async () => {
      const deliveries = await listed();
      return count(deliveries, 'delivered') === 8 && count(deliveries, 'given_up') === 1;
    }, IN_TIME);
    const deliveries = await listed();
    assert.is(deliveries.length, 14);
    assert.is(count(deliveries, 'planned'), 5);
    const ids = good.map(({ received: received }) => [...new Set(received)]);
    assert.ok(ids.every((received) => received.length === 1));
    assert.is(new Set(ids.flat()).size, 8);

    const refused = deliveries.find(({ status }) => status === 'given_up');
    assert.is(refused?.given_up?.because, 'permanent');
    const before = gone.received.length;
    const retried = await uptrail(environment, 'deliveries', 'retry', refused?.id ?? '');
    assert.is(retried.stdout, 'One delivery will be retried.\n', retried.stderr);
    await eventually(() => gone.received.length > before, IN_TIME);
    assert.is(new Set(gone.received).size, 1);
    await program.end('SIGTERM');
  }),
);

drill.run();
