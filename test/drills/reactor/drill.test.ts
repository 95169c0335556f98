import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { callApi, programBuiltIn, endPrograms, startOne, uptrailIn, type RunningProgram } from '../../e2e/program.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { addedFiles, copyWith, runNode, type Edit } from '../copy.ts';
import { inProject } from '../../project.ts';
import { eventually } from '../../waiting.ts';

const DRILL = 'test/drills/reactor';

const PAGE = 'docs/develop/add-reactor.md';

/** The edits that add a reactor and its list, as `PAGE` describes. The new files are in `added/`. */
const EDITS: readonly Edit[] = [
  {
    file: 'projections/index.ts',
    lines: [
      { before: 'import { organizations }', line: "import { openIncidents } from './open-incidents/projection.ts';" },
      { before: '  organizations,', line: '  openIncidents,' },
    ],
  },
  {
    file: 'reactors/index.ts',
    lines: [
      { before: 'import { paymentBeginnings }', line: "import { openIncidentLines } from './open-incidents.ts';" },
      { before: '  // One line per reactor.', line: '  openIncidentLines,' },
    ],
  },
];

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const IN_TIME = { within: 60_000 };

const drill = suite('adding a reactor');
const copy = copyWith(DRILL, EDITS);
drill.after(() => {
  copy.remove();
});
drill.after.each(endPrograms);

drill('a new reactor needs its list, one file and two lines, and the documentation names each of them', () => {
  const page = readFileSync(inProject(PAGE), 'utf8');
  const added = addedFiles(DRILL).map((file) =>
    file.replace(/^projections\/open-incidents/, 'projections/<list>').replace(/open-incidents/, '<name>'),
  );
  assert.equal(added, ['projections/<list>/projection.ts', 'reactors/<name>.ts']);
  for (const place of [...added, ...EDITS.map(({ file }) => file)])
    assert.ok(page.includes(`\`${place}\``), `${PAGE} does not name ${place}.`);
});

drill('a product with a new reactor compiles', async () => {
  await runNode(copy.folder, 'node_modules/typescript/bin/tsc', '--noEmit', '--project', 'tsconfig.drill.json');
});

drill('a product with a new reactor obeys the import rules', async () => {
  const folders = ['reactors', 'projections', 'service'];
  const cruise = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs';
  await runNode(copy.folder, cruise, ...folders, '--output-type', 'err');
});

drill(
  'a new reactor handles a due item once, is shown to operators, and catches up after a restart',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY, LOG_LEVEL: 'info' };
    const place = programBuiltIn(copy.folder);
    const output: string[] = [];
    const linesOf = (program: RunningProgram): string =>
      [...output, program.output.stdout, program.output.stderr].join('');
    const count = (program: RunningProgram, name: string): number =>
      linesOf(program).split(`the incident ${name} was opened a second ago`).length - 1;
    const end = async (program: RunningProgram): Promise<void> => {
      await program.end('SIGTERM');
      output.push(program.output.stdout, program.output.stderr);
    };
    const post = async (program: RunningProgram, path: string, body: object): Promise<string> => {
      const response = await callApi(program, ADMIN_API_KEY, 'POST', path, body);
      assert.ok(response.status < 300, JSON.stringify(response.body));
      return (response.body as { id: string }).id;
    };
    const incident = { body: 'We look.', status: 'investigating', components: {} };

    let program = await startOne(['serve'], environment, place);
    const page = await post(program, '/v1/pages', { name: 'Shop' });
    await post(program, `/v1/pages/${page}/incidents`, { ...incident, name: 'First' });
    await eventually(() => count(program, 'First') === 1, IN_TIME);
    await post(program, `/v1/pages/${page}/incidents`, { ...incident, name: 'Second' });
    await end(program);

    const listed = await uptrailIn(place)(environment, 'reactors', '--json');
    const reactors = listed.stdout.split('\n').filter((line) => line !== '');
    const names = reactors.map((line) => (JSON.parse(line) as { reactor: string }).reactor);
    assert.ok(names.includes('open-incidents'), listed.stderr);

    program = await startOne(['serve'], environment, place);
    await eventually(() => count(program, 'Second') === 1, IN_TIME);
    assert.is(count(program, 'First'), 1);
    await end(program);
  }),
);

drill.run();
