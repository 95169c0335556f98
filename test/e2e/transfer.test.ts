import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { exported } from '../cli/transfer/moving.ts';
import { byStream, eventsIn, fillMain, fillResults, plainResults } from '../cli/transfer/samples.ts';
import { inTemporaryFolder } from '../service/temporary.ts';
import { callApi, endPrograms, PROGRAM, serve, uptrail, type RunningProgram } from './program.ts';
import { eventually } from '../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const test = suite('uptrail export and uptrail import');
test.after.each(endPrograms);

const done = async (environment: Record<string, string>, ...parameters: string[]): Promise<string> => {
  const ended = await uptrail(environment, ...parameters);
  assert.is(ended.code, 0, ended.stderr);
  return ended.stdout;
};

const refused = async (environment: Record<string, string>, ...parameters: string[]): Promise<string> => {
  const ended = await uptrail(environment, ...parameters);
  assert.is(ended.code, 1);
  return ended.stderr;
};

/** Polls until the read models have been rebuilt and can respond. */
const read = async (program: RunningProgram, path: string): Promise<unknown> => {
  const response = await eventually(async () => {
    const { status, body } = await callApi(program, ADMIN_API_KEY, 'GET', path);
    if (status !== 200 && status !== 503) throw new Error(`${path}: ${status}`);
    return status === 200 && { body };
  });
  return response.body;
};

test(
  'a moved service gives the same responses as before, can decrypt sealed texts, and continues to work',
  inTemporaryFolder(async (folder) => {
    const from = { DATA_DIR: `${folder}/from`, ADMIN_API_KEY };
    const to = { DATA_DIR: `${folder}/to` };
    const first = await serve(from);
    const { body } = await callApi(first, ADMIN_API_KEY, 'POST', '/v1/pages', { name: 'Acme' });
    const { id } = body as { id: string };
    const check = await callApi(first, ADMIN_API_KEY, 'POST', '/v1/checks', {
      name: 'Itself',
      type: 'web',
      interval: 30,
      url: `${first.address}/health/live`,
      parameters: { http_request: { headers: { Authorization: 'a secret' } } },
    });
    const { id: checkId } = check.body as { id: string };
    const results = `/v1/checks/${checkId}/results`;
    for (;;) if (((await read(first, results)) as { results: unknown[] }).results.length > 0) break;

    const early = await done(from, 'export', `${folder}/moved`);
    assert.match(early, 'The files do not contain what a running service appends from now on.');
    assert.match(await refused(from, 'import', `${folder}/moved`), /^A service is running on .*from\. Stop it first/);
    const { body: renamed } = await callApi(first, ADMIN_API_KEY, 'PATCH', `/v1/pages/${id}`, { name: 'Acme status' });
    const resultsBefore = await read(first, results);
    const checkBefore = await read(first, `/v1/checks/${checkId}`);
    await first.end('SIGTERM');
    assert.not.match(await done(from, 'export', `${folder}/moved`), 'is running');
    await done(from, 'keys', 'export', `${folder}/moved/keys.jsonl`);
    assert.equal(readdirSync(`${folder}/moved`).sort(), [
      'artifacts',
      'artifacts.jsonl',
      'keys.jsonl',
      'main.jsonl',
      'results.jsonl',
    ]);

    assert.match(await done(to, 'import', `${folder}/moved`), /^main: all \d+ events are in .*to; \d+ were new\.$/m);
    const otherKey = await refused(to, 'keys', 'import', `${folder}/moved/keys.jsonl`);
    assert.match(otherKey, /keys\.jsonl was written under another SECRETS_KEY\. Name .* --wrapped-by/);
    const wrappedBy = ['--wrapped-by', `${folder}/from/secrets-key`];
    assert.match(await done(to, 'keys', 'import', `${folder}/moved/keys.jsonl`, ...wrappedBy), /^All \d+ keys of /);

    const second = await serve(to);
    assert.not.match(second.output.stdout, 'admin key');
    assert.equal(await read(second, `/v1/pages/${id}`), renamed);
    assert.equal(await read(second, `/v1/checks/${checkId}`), checkBefore);
    const after = (await read(second, results)) as { results: unknown[] };
    const before = (resultsBefore as typeof after).results;
    assert.equal(after.results.slice(-before.length), before);
    assert.match(await done(to, 'history', 'page', id), 'from 127.0.0.1');
    await callApi(second, ADMIN_API_KEY, 'PATCH', `/v1/pages/${id}`, { name: 'Moved' });
    await second.end('SIGTERM');
    await done(to, 'rebuild', '--all', '--verify');

    assert.match(await refused(to, 'import', `${folder}/nowhere`), /nowhere\/main\.jsonl does not exist\.$/m);
    const started = { DATA_DIR: `${folder}/started`, ADMIN_API_KEY };
    await (await serve(started)).end('SIGTERM');
    assert.match(await refused(started, 'import', `${folder}/moved`), /^The log main is not empty: /);
  }),
);

/**
 * Starts an import, and kills it as soon as a log contains this many events.
 *
 * @returns false if the import ended first
 */
const killedAt = async (
  DATA_DIR: string,
  moved: string,
  file: 'events.db' | 'results.db',
  events: number,
): Promise<boolean> => {
  const child = spawn(process.execPath, [...PROGRAM, 'import', moved], {
    env: { ...process.env, DATA_DIR },
    stdio: 'ignore',
  });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const state = { running: true };
  void ended.then(() => (state.running = false));
  await eventually(async () => !state.running || (await countIn(`${DATA_DIR}/${file}`, events)) >= events);
  if (state.running) child.kill('SIGKILL');
  const [, signal] = await ended;
  return signal === 'SIGKILL';
};

/** Counts the events in a log that another process is writing. Stops at a limit. */
const countIn = async (file: string, limit: number): Promise<number> => {
  if (!existsSync(file)) return 0;
  try {
    const log = await openSqliteEventStore({ file, name: 'main', mode: 'reader' });
    try {
      return (await log.readAll({ after: 0n, limit })).length;
    } finally {
      await log.close();
    }
  } catch {
    // The file was just created and is not readable yet.
    return 0;
  }
};

test(
  'an import that is killed at any moment continues when it is started again',
  inTemporaryFolder(async (folder) => {
    const main = createMemoryEventStore('main');
    const results = createMemoryEventStore('results');
    await fillMain(main, 900);
    await fillResults(results, plainResults(2_400, Date.now()));
    const moved = `${folder}/moved`;
    mkdirSync(moved);
    await exported(main, moved);
    await exported(results, moved, main);

    const DATA_DIR = `${folder}/to`;
    const kills = [];
    for (const events of [1, 400]) kills.push(await killedAt(DATA_DIR, moved, 'events.db', events));
    for (const events of [1, 2_002]) kills.push(await killedAt(DATA_DIR, moved, 'results.db', events));
    assert.ok(kills.filter(Boolean).length >= 2, 'it was killed in progress');
    await done({ DATA_DIR }, 'import', moved);

    const open = (name: 'main' | 'results', file: string): Promise<EventStore> =>
      openSqliteEventStore({ file: `${DATA_DIR}/${file}`, name, mode: 'reader' });
    const [mainThere, resultsThere] = [await open('main', 'events.db'), await open('results', 'results.db')];
    assert.equal(await eventsIn(mainThere), await eventsIn(main));
    assert.equal(byStream(await eventsIn(resultsThere)), byStream(await eventsIn(results)));
    await mainThere.close();
    await resultsThere.close();
    assert.match(await done({ DATA_DIR }, 'import', moved), /^main: all 902 events .*; 0 were new\.$/m);
  }),
);

test.run();
