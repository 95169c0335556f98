import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { definitionOf } from '../../domain/event-types.ts';
import { streamOf } from '../../domain/decider.ts';
import { MAX_BODY } from '../../domain/incident/rules.ts';
import { readConfig } from '../../service/config/config.ts';
import { openLog, siteOf } from '../../service/stores.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { eventually } from '../waiting.ts';
import {
  callApiExpecting,
  callApi,
  endPrograms,
  storageEnvironment,
  serve,
  uptrail,
  type RunningProgram,
} from './program.ts';

const KEY = 'the-admin-key-of-this-test';
/** Number of updates. Each character of an update takes six bytes as JSON, so the document exceeds its size limit. */
const UPDATES = 90;

const test = suite('a document that is set aside');
test.after.each(endPrograms);

/** Appends more updates to an incident than commands accept now, as a log from an earlier release may contain. */
const outgrow = async (environment: Record<string, string>, page_id: string, incident_id: string): Promise<void> => {
  const main = await openLog(siteOf(readConfig(await storageEnvironment(environment))), 'main', 'appender');
  const stream = streamOf('incident', incident_id);
  const [opened] = await main.readStream(stream, { from: 0n, limit: 1 });
  if (!opened) throw new Error('It was not opened.');
  const metadata = { ...opened.metadata, schema_version: definitionOf('IncidentUpdateAppended')?.version ?? 1 };
  for (let count = 0; count < UPDATES; count++) {
    const update = {
      id: `update${count.toString().padStart(6, '0')}`,
      body: '\u0001'.repeat(MAX_BODY),
      status: 'investigating',
      status_sent: true,
      components: {},
      deliver_notifications: false,
      created_at: opened.metadata.recorded_at,
    };
    const event = { type: 'IncidentUpdateAppended' as const, data: { incident_id, page_id, update } };
    await main.append(stream, [{ id: randomUUID(), ...event, metadata }], 'any');
  }
  await main.close();
};

/** Runs `uptrail projections --set-aside`. @returns its text output, and its parsed JSON output */
const listed = async (environment: Record<string, string>) => {
  const shown = await uptrail(environment, 'projections', '--set-aside');
  assert.is(shown.code, 0, shown.stderr);
  const { stdout } = await uptrail(environment, 'projections', '--set-aside', '--json');
  const all = stdout.split('\n').filter((line) => line !== '');
  return { text: shown.stdout, all: all.map((line) => JSON.parse(line) as Record<string, unknown>) };
};

test(
  'a document that is set aside is listed with its reason, remains so after a kill and a rebuild, and disappears after its deletion',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY: KEY };
    let program: RunningProgram = await serve(environment);
    assert.equal(await listed(environment), { text: 'No document is set aside.\n', all: [] });
    const page = await callApiExpecting<{ id: string }>(program, KEY, 200, 'POST', '/v1/pages', { name: 'Shop' });
    const incidents = `/v1/pages/${page.id}/incidents`;
    const open = (name: string): Promise<{ id: string }> =>
      callApiExpecting(program, KEY, 201, 'POST', incidents, {
        name,
        status: 'investigating',
        body: 'x',
        components: {},
      });
    const large = await open('Large');
    const path = `${incidents}/${large.id}`;
    await program.end('SIGTERM');
    await outgrow(environment, page.id, large.id);

    program = await serve(environment);
    const expectAside = async (names: string[]): Promise<void> => {
      await eventually(async () => (await callApi(program, KEY, 'GET', path)).status === 500, { within: 30_000 });
      const { text, all } = await listed(environment);
      assert.match(text, new RegExp(`^incidents +incidents/${large.id} .* It has \\d+ bytes`, 'm'));
      const [one] = all;
      assert.is(all.length, 1);
      assert.equal([one?.['projection'], one?.['collection'], one?.['id']], ['incidents', 'incidents', large.id]);
      assert.is(one?.['cause'], 'refused');
      assert.match((await uptrail(environment, 'projections')).stdout, /^incidents .*live, 1 set aside$/m);
      const others = await callApiExpecting<{ name: string }[]>(program, KEY, 200, 'GET', incidents);
      assert.equal(others.map(({ name }) => name).sort(), names);
    };
    await expectAside([]);

    const changed = await callApi(program, KEY, 'PATCH', path, { name: 'Small' });
    assert.is(changed.status, 500);
    assert.match((changed.body as { message: string }).message, /can be deleted but not changed/);
    await open('Other');
    await expectAside(['Other']);
    assert.not.match((await uptrail(environment, 'history', 'incident', large.id)).stdout, 'Small');

    await program.end('SIGKILL');
    program = await serve(environment);
    await expectAside(['Other']);

    const rebuilt = await uptrail(environment, 'rebuild', 'incidents', '--verify');
    assert.match(rebuilt.stdout, /: 1 set aside\. Run uptrail projections --set-aside/);
    assert.match(rebuilt.stdout, /all are equal/);
    await expectAside(['Other']);

    await callApiExpecting(program, KEY, 204, 'DELETE', path);
    assert.is((await callApi(program, KEY, 'GET', path)).status, 404);
    assert.equal(await listed(environment), { text: 'No document is set aside.\n', all: [] });
  }),
);

test.run();
