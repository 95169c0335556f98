import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Delivery } from '../../../domain/delivery/state.ts';
import { ask, endPrograms, sourcesIn, startOne, uptrail, type Program } from '../../e2e/program.ts';
import { closeServers, rawServer } from '../../runners/web/servers.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { addedFiles, copyWith, run, type Edit } from '../copy.ts';

const DRILL = 'test/drills/notifier';

/** Adding a notifier, and something that is told by it, as CONTRIBUTING.md says it is done, in a copy of the project. */
const EDITS: readonly Edit[] = [
  {
    file: 'notifiers/index.ts',
    lines: [
      { before: 'import type { Notifier }', line: "import { createLine } from './line/index.ts';" },
      { before: '    createWebhook(webhook),', line: '    createLine(webhook),' },
    ],
  },
  {
    file: 'projections/index.ts',
    lines: [
      {
        before: 'import { organizations }',
        line: "import { openedIncidents } from './opened-incidents/projection.ts';",
      },
      { before: '  organizations,', line: '  openedIncidents,' },
    ],
  },
  {
    file: 'reactors/delivery/kinds.ts',
    lines: [
      { before: 'import type { AnyCauseKind', line: "import { incidentOpened } from './incident-opened.ts';" },
      { before: '  // A line for each kind.', line: '  incident_opened: incidentOpened,' },
    ],
  },
  {
    file: 'service/parts/todo-lists.ts',
    lines: [
      {
        before: 'import type { LogWatch }',
        line: "import { openedIncidents } from '../../projections/opened-incidents/projection.ts';",
      },
      { before: '  checkVerdicts,', line: '  openedIncidents,' },
    ],
  },
];

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const drill = suite('adding a notifier, and what is told by it');
const copy = copyWith(DRILL, EDITS);
drill.after(() => {
  copy.remove();
});
drill.after.each(endPrograms);
drill.after.each(closeServers);

drill('takes three files and lines in four others, and CONTRIBUTING.md names each place', () => {
  const contributing = readFileSync(new URL('../../../CONTRIBUTING.md', import.meta.url), 'utf8');
  const names: Record<string, string> = { line: 'notifier', 'opened-incidents': 'causes', 'incident-opened': 'cause' };
  const added = addedFiles(DRILL).map((file) =>
    file.replace(/opened-incidents|incident-opened|line/, (name) => `<${names[name] ?? ''}>`),
  );
  assert.equal(added, [
    'notifiers/<notifier>/index.ts',
    'projections/<causes>/projection.ts',
    'reactors/delivery/<cause>.ts',
  ]);
  for (const place of [...added, ...EDITS.map(({ file }) => file)])
    assert.ok(contributing.includes(`\`${place}\``), `CONTRIBUTING.md does not name ${place}.`);
});

drill('compiles', async () => {
  await run(copy.folder, 'node_modules/typescript/bin/tsc', '--noEmit', '--project', 'tsconfig.drill.json');
});

drill('keeps the import rules', async () => {
  const folders = ['notifiers', 'reactors', 'projections', 'service'];
  await run(
    copy.folder,
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    ...folders,
    '--output-type',
    'err',
  );
});

/** A target that hears lines, and answers each. */
const listening = async (answer: string | null): Promise<{ port: number; heard: string[] }> => {
  const heard: string[] = [];
  const { port } = await rawServer((socket: Socket) => {
    socket.on('data', (line) => {
      heard.push(line.toString().split(' ')[0] ?? '');
      if (answer !== null) socket.end(answer);
    });
  });
  return { port, heard };
};

const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
};

drill(
  'tells every receiver in spite of kill -9, each under one id, and is held up by none that is dead',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY };
    const start = (): Promise<Program> => startOne(['serve'], environment, sourcesIn(copy.folder));
    const good = await Promise.all(Array.from({ length: 8 }, () => listening('ok\n')));
    const dead = await listening(null);
    const gone = await listening('no\n');

    let program = await start();
    const make = async (path: string, body: object): Promise<string> => {
      const answer = await ask(program, ADMIN_API_KEY, 'POST', path, body);
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return (answer.body as { id: string }).id;
    };
    const page = await make('/v1/pages', { name: 'Shop' });
    // The dead ones first: nobody waits for them.
    for (const { port } of [dead, dead, dead, dead, dead, gone, ...good]) {
      await make(`/v1/pages/${page}/components`, { name: 'Target', description: `127.0.0.1:${port.toString()}` });
    }
    await make(`/v1/pages/${page}/incidents`, {
      name: 'Outage',
      body: 'We look.',
      status: 'investigating',
      components: {},
    });
    const everyGood = (): boolean => good.every(({ heard }) => heard.length > 0);
    // Once while it plans and sends, once when all have been told.
    await until(() => good.some(({ heard }) => heard.length > 0));
    await program.end('SIGKILL');
    program = await start();
    await until(everyGood);
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
    await until(async () => {
      const deliveries = await listed();
      return count(deliveries, 'delivered') === 8 && count(deliveries, 'given_up') === 1;
    });
    const deliveries = await listed();
    assert.is(deliveries.length, 14);
    assert.is(count(deliveries, 'planned'), 5);
    const ids = good.map(({ heard }) => [...new Set(heard)]);
    assert.ok(ids.every((heard) => heard.length === 1));
    assert.is(new Set(ids.flat()).size, 8);

    const refused = deliveries.find(({ status }) => status === 'given_up');
    assert.is(refused?.given_up?.because, 'permanent');
    const before = gone.heard.length;
    const retried = await uptrail(environment, 'deliveries', 'retry', refused?.id ?? '');
    assert.is(retried.stdout, 'One delivery is tried again.\n', retried.stderr);
    await until(() => gone.heard.length > before);
    assert.is(new Set(gone.heard).size, 1);
    await program.end('SIGTERM');
  }),
);

drill.run();
