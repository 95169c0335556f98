import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCheck } from '../../e2e/checking.ts';
import { callApi, endPrograms, programBuiltIn, startOne, type RunningProgram } from '../../e2e/program.ts';
import { closeServers, httpServer } from '../../probes/web/servers.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { addedFiles, copyWith, runNode, type Edit } from '../copy.ts';
import { inProject } from '../../project.ts';
import { eventually } from '../../waiting.ts';

const DRILL = 'test/drills/alert-channel';

const PAGE = 'docs/develop/add-alert-channel-type.md';

/** The edits that add an alert channel type, as `PAGE` describes. The new files are in `added/`. */
const EDITS: readonly Edit[] = [
  {
    file: 'notifiers/channels/index.ts',
    lines: [
      { before: "import { slack } from '../slack/channel.ts';", line: "import { pager } from '../pager/channel.ts';" },
      { before: '  statuspage,', line: '  pager,' },
    ],
  },
];

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const MASK = '********';
/** Time limit within which checks start and failed messages are retried. */
const IN_TIME = { within: 120_000 };

const drill = suite('adding an alert channel type');
const copy = copyWith(DRILL, EDITS);
drill.after(() => {
  copy.remove();
});
drill.after.each(endPrograms);
drill.after.each(closeServers);

drill(
  'a new alert channel type needs one file in a folder and one line in a list, and the documentation names both',
  () => {
    const page = readFileSync(inProject(PAGE), 'utf8');
    const added = addedFiles(DRILL).map((file) => file.replace(/\bpager\b/, '<type>'));
    assert.equal(added, ['notifiers/<type>/channel.ts']);
    assert.is(EDITS.length, 1);
    const places = [...added, ...EDITS.map(({ file }) => file)];
    for (const place of places) assert.ok(page.includes(`| \`${place}\``), `${PAGE} does not name ${place}.`);
    const named = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, place]) => place);
    assert.equal(named, places, `${PAGE} names no other place`);
  },
);

drill('a product with a new alert channel type compiles', async () => {
  await runNode(copy.folder, 'node_modules/typescript/bin/tsc', '--noEmit', '--project', 'tsconfig.drill.json');
});

drill('a product with a new alert channel type obeys the import rules', async () => {
  const folders = ['notifiers', 'commands', 'queries', 'api', 'reactors'];
  await runNode(
    copy.folder,
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    ...folders,
    '--output-type',
    'err',
  );
});

drill(
  'a new alert channel type is generated into OpenAPI and the documents, without a new version of any event',
  async () => {
    const inCopy = (file: string): string => readFileSync(join(copy.folder, file), 'utf8');
    const events = inCopy('domain/catalogue.json');
    await runNode(copy.folder, 'build.cjs', '--tests');
    await runNode(copy.folder, 'build/test/generate.js');
    assert.is(inCopy('domain/catalogue.json'), events);
    assert.match(inCopy('docs/reference/openapi.json'), 'pager: { exchange_url, pager_key }');
    assert.match(
      inCopy('docs/reference/alert-channels.md'),
      /\| `pager` +\| `exchange_url`, `pager_key` +\| a beep +\|/,
    );
  },
);

/** Opens a server for pager messages, which records its requests and fails the first one. */
const exchange = async () => {
  const requested: { key: unknown; beep: string; urgent: boolean }[] = [];
  let failures = 1;
  const { port } = await httpServer(({ headers }, response, body) => {
    response.statusCode = requested.length > 0 && failures-- > 0 ? 503 : 200;
    if (response.statusCode === 200)
      requested.push({ key: headers['x-pager-key'], ...(JSON.parse(body) as { beep: string; urgent: boolean }) });
    response.end();
  });
  return { url: `http://127.0.0.1:${port}/`, asked: requested };
};

drill(
  'a channel of a new type is created, masked, tested, and notified of alerts and heartbeats, in spite of kill -9',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY };
    let program: RunningProgram = await startOne(['serve'], environment, programBuiltIn(copy.folder));
    const request = async (method: string, path: string, body?: object, key = ADMIN_API_KEY) =>
      callApi(program, key, method, path, body);
    const make = async (path: string, body: object): Promise<{ id: string }> => {
      const answer = await request('POST', path, body);
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return answer.body as { id: string };
    };
    const { url, asked } = await exchange();
    const configuration = { exchange_url: url, pager_key: 's3cret' };

    const wrong = {
      name: 'Pager',
      type: 'pager',
      configuration: { exchange_url: 'ftp://exchange.example', pager_key: 's' },
    };
    const refused = await request('POST', '/v1/alerts/channels', wrong);
    assert.equal((refused.body as { errors: { json: unknown } }).errors.json, {
      'configuration.exchange_url': ['Must begin with https:// or http://.'],
    });
    const channel = await make('/v1/alerts/channels', { name: 'Pager', type: 'pager', configuration });
    const shown = await request('GET', `/v1/alerts/channels/${channel.id}`);
    assert.equal((shown.body as { configuration: unknown }).configuration, { ...configuration, pager_key: MASK });
    const tested = await request('POST', `/v1/alerts/channels/${channel.id}/test`);
    assert.is((tested.body as { success: boolean }).success, true, JSON.stringify(tested.body));
    assert.equal(asked, [{ key: 's3cret', beep: 'Test of an alert channel', urgent: false }]);
    const audit = JSON.stringify((await request('GET', `/v1/audit?resource_id=${channel.id}`)).body);
    assert.match(audit, 'exchange_url');
    assert.not.match(audit, 's3cret');

    const definition = { name: 'Shop', type: 'tcp', host: '127.0.0.1', port: 1, interval: 60, timeout: 5 };
    const check = await createCheck(program, ADMIN_API_KEY, definition);
    await make('/v1/alerts/rules', {
      name: 'Shop is down',
      check_id: check.id,
      condition: 'check_failed',
      severity: 'critical',
      channel_ids: [channel.id],
    });
    const beat = await make('/v1/heartbeats', { name: 'Backup', period_seconds: 60 });
    await make(`/v1/heartbeats/${beat.id}/channels`, { channel_ids: [channel.id] });
    await request('GET', `/v1/heartbeats/${beat.id}/ping/fail`);
    await program.end('SIGKILL');
    program = await startOne(['serve'], environment, programBuiltIn(copy.folder));
    const beeps = (): string[] => [...new Set(asked.map(({ beep, urgent }) => `${urgent ? 'urgent ' : ''}${beep}`))];
    await eventually(() => beeps().length >= 3, IN_TIME);
    assert.equal(beeps().slice(1).sort(), ['[Down] Backup is down', 'urgent [Critical] Shop is down']);
    const { body: alerts } = await request('GET', '/v1/alerts');
    const [alert] = (alerts as { alerts: { id: string }[] }).alerts;
    const reported = await request('GET', `/v1/alerts/${alert?.id ?? ''}/notifications`);
    assert.equal(
      (reported.body as { channel_type: string }[]).map(({ channel_type }) => channel_type),
      ['pager'],
    );
    await program.end('SIGTERM');
  }),
);

drill.run();
