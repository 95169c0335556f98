import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCheck } from '../../e2e/checking.ts';
import { requestRun, waitForOutcome } from '../../e2e/polling.ts';
import { callApi, endPrograms, programBuiltIn, startOne, type RunningProgram } from '../../e2e/program.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { addedFiles, copyWith, runNode, type Edit } from '../copy.ts';
import { inProject } from '../../project.ts';

const DRILL = 'test/drills/check-type';

const PAGE = 'docs/develop/add-check-type.md';

/** The edits that add a check type, as `PAGE` describes. The new files are in `added/`. */
const EDITS: readonly Edit[] = [
  {
    file: 'domain/check/types/index.ts',
    lines: [
      { before: "import { icmp } from './icmp.ts';", line: "import { echo } from './echo.ts';" },
      { before: '];', line: '  echo,' },
    ],
  },
  {
    file: 'probes/index.ts',
    lines: [
      { before: "import { runTcp } from './tcp/run.ts';", line: "import { runEcho } from './echo/run.ts';" },
      { before: ']);', line: "  ['echo', runEcho]," },
    ],
  },
];

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const REGION = 'RU, Moscow';
/** Time limit for the first run of a check, in seconds. */
const SOON = 15;

const drill = suite('adding a check type');
const copy = copyWith(DRILL, EDITS);
drill.after(() => {
  copy.remove();
});
drill.after.each(endPrograms);

/** Installs `echoer`, the program that the new check type needs. It prints its input. */
const installEchoer = (folder: string): string => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'echoer'), '#!/bin/sh\nexec cat\n', { mode: 0o755 });
  return folder;
};

const definition = { name: 'Echo', type: 'echo', host: '127.0.0.1', timeout: 5, parameters: { text: 'Hello?' } };

drill(
  'a new check type needs a descriptor, a folder and a line in two lists, and the documentation names each of them',
  () => {
    const page = readFileSync(inProject(PAGE), 'utf8');
    const added = addedFiles(DRILL).map((file) => file.replace(/\becho\b/, '<type>'));
    assert.equal(added, ['domain/check/types/<type>.ts', 'probes/<type>/run.ts']);
    for (const place of [...added, ...EDITS.map(({ file }) => file)])
      assert.ok(page.includes(`\`${place}\``), `${PAGE} does not name ${place}.`);
  },
);

drill('a product with a new check type compiles', async () => {
  await runNode(copy.folder, 'node_modules/typescript/bin/tsc', '--noEmit', '--project', 'tsconfig.drill.json');
});

drill('a new check type is generated into OpenAPI without a new version of any event', async () => {
  const generated = (file: string): string => readFileSync(join(copy.folder, file), 'utf8');
  const events = generated('domain/catalogue.json');
  await runNode(copy.folder, 'build.cjs', '--tests');
  await runNode(copy.folder, 'build/test/generate.js');
  assert.is(generated('domain/catalogue.json'), events);
  assert.match(generated('docs/reference/openapi.json'), '"echo"');
});

drill(
  'a check of a new type is created, run, stored and charged, if its tool is installed',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY, REGIONS: REGION };
    const path = process.env['PATH'] ?? '';
    const tools = installEchoer(join(folder, 'bin'));

    const able = await startOne(['serve'], { ...environment, PATH: `${tools}:${path}` }, programBuiltIn(copy.folder));
    const { id } = await runsAsAnyOther(able);
    assert.not.match(able.output.stderr, 'echoer');
    await able.end('SIGTERM');

    const unable = await startOne(['serve'], { ...environment, PATH: path }, programBuiltIn(copy.folder));
    await isNotOffered(unable, id);
    await unable.end('SIGTERM');
  }),
);

/** Asserts that the new type is offered, validated, run by a probe process, stored with its metadata, and charged. */
const runsAsAnyOther = async (program: RunningProgram): Promise<{ id: string }> => {
  const get = async (path: string) => (await callApi(program, ADMIN_API_KEY, 'GET', path)).body;
  const { regions } = (await get('/v1/checks/get-regions?check_type=echo')) as { regions: { id: string }[] };
  assert.equal(
    regions.map((region) => region.id),
    [REGION],
  );

  const wrong = { name: 'Echo', type: 'echo', interval: 60, timeout: 6, parameters: { text: 5 } };
  const refused = await callApi(program, ADMIN_API_KEY, 'POST', '/v1/checks', wrong);
  assert.is(refused.status, 422);
  assert.equal((refused.body as { errors: { json: unknown } }).errors.json, {
    host: ['Missing required field.'],
    timeout: ['Must be less than or equal to 5.'],
    'parameters.text': ['Must be a string.'],
  });

  const check = await createCheck(program, ADMIN_API_KEY, { ...definition, interval: 3_600 });
  await check.reaches('up', 5);
  const [result] = await check.results();
  assert.equal([result?.status, result?.error_message], ['ok', null]);
  assert.equal(result?.check_metadata, { host: '127.0.0.1', port: 7, echoed: true });
  assert.ok((result?.response_time ?? -1) >= 0);

  const job = await requestRun(program, ADMIN_API_KEY, '/v1/checks/execute', definition);
  assert.is((await waitForOutcome(program, ADMIN_API_KEY, job, SOON)).result?.status, 'ok');

  const [organization] = (await get('/v1/organizations')) as { credits: { used: number } }[];
  assert.is(organization?.credits.used, 6);
  type AuditLogs = { audit_logs: { changes: { parameters?: { new: unknown } } }[] };
  const { audit_logs } = (await get(`/v1/audit?resource_id=${check.id}`)) as AuditLogs;
  assert.equal(audit_logs[0]?.changes.parameters?.new, { text: '********' });
  return check;
};

/**
 * Asserts that without `echoer` the service is ready and reports the missing program, and the existing check is
 * unchanged.
 */
const isNotOffered = async (program: RunningProgram, id: string): Promise<void> => {
  const sentence = "Checks of type echo can't be run here: echoer is not installed.";
  assert.match(program.output.stderr, sentence);
  const health = await callApi(program, ADMIN_API_KEY, 'GET', '/health/ready');
  const { parts } = health.body as { parts: { name: string; message: string | null }[] };
  assert.is(health.status, 200);
  assert.match(parts.find(({ name }) => name === 'probe processes')?.message ?? '', sentence);

  const { body: offered } = await callApi(program, ADMIN_API_KEY, 'GET', '/v1/checks/get-regions');
  const [types = []] = (offered as { regions: { available_check_types: string[] }[] }).regions.map(
    ({ available_check_types }) => available_check_types,
  );
  assert.equal([types.includes('web'), types.includes('echo')], [true, false]);
  for (const [path, body] of [
    ['/v1/checks', { ...definition, interval: 60 }],
    ['/v1/checks/execute', definition],
  ] as const) {
    const refused = await callApi(program, ADMIN_API_KEY, 'POST', path, body);
    assert.is(refused.status, 400, JSON.stringify(refused.body));
    assert.match((refused.body as { message: string }).message, /^Checks of type echo can't be run in region/);
  }
  const check = (await callApi(program, ADMIN_API_KEY, 'GET', `/v1/checks/${id}`)).body as {
    status: string;
    type: string;
  };
  assert.equal([check.type, check.status], ['echo', 'up']);
};

drill.run();
