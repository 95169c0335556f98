import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { eventually } from '../waiting.ts';
import { callApi, endPrograms, serve, type RunningProgram } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const test = suite('a service on a full disk');
test.after.each(endPrograms);

/** Writes a file until the disk is full. */
const fill = (file: string): void => {
  const descriptor = openSync(file, 'w');
  const block = Buffer.alloc(4_096, 1);
  try {
    for (;;) writeSync(descriptor, block);
  } catch {
    closeSync(descriptor);
  }
};

/** Creates a page. All calls to the same process have the same idempotency key. */
const repeated = ({ address, pid }: RunningProgram): Promise<Response> =>
  fetch(`${address}/v1/pages`, {
    method: 'POST',
    headers: { authorization: ADMIN_API_KEY, 'content-type': 'application/json', 'idempotency-key': pid.toString() },
    body: JSON.stringify({ name: 'Repeated' }),
  });

/**
 * Asserts that the service refuses both a repeated request and new writes with 503 every time, and logs each reason
 * only once.
 */
const refusesAll = async (program: RunningProgram): Promise<void> => {
  const before = program.output.stderr.length;
  for (let times = 0; times < 40; times++) {
    const { status, headers } = await repeated(program);
    assert.equal([status, headers.has('retry-after')], [503, true], `the request number ${times}`);
    assert.is((await callApi(program, ADMIN_API_KEY, 'POST', '/v1/pages', { name: 'Refused' })).status, 503);
  }
  const lines = program.output.stderr.slice(before).trim().split('\n');
  assert.ok(lines.length < 20, program.output.stderr);
  assert.not.match(lines.filter((line) => line.includes('requests fail because')).join('\n'), '    at ');
};

/** Creates a report and waits for its file, which needs little space. */
const makesReport = async (program: RunningProgram, page_id: string): Promise<void> => {
  const today = new Date().toISOString().slice(0, 10);
  const fields = { name: 'R', report_type: 'incidents', format: 'csv', page_id };
  const period = { period_start: today, period_end: today };
  const { body } = await callApi(program, ADMIN_API_KEY, 'POST', '/v1/reports', { ...fields, ...period });
  const { id } = body as { id: string };
  await eventually(
    async () => {
      const report = await callApi(program, ADMIN_API_KEY, 'GET', `/v1/reports/${id}`);
      const { status, error_message } = report.body as { status: string; error_message: string | null };
      assert.is.not(status, 'failed', error_message ?? '');
      return status === 'completed';
    },
    { within: 60_000, what: 'the report is made' },
  );
};

test(
  'a service on a full disk starts, serves reads, refuses writes with a sentence, and accepts writes again after space is freed',
  inTemporaryFolder(async (folder) => {
    mkdirSync(`${folder}/disk`);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=60m', 'tmpfs', `${folder}/disk`]);
    if (mounted.status !== 0) {
      console.log('skipped: this user may not mount a file system');
      return;
    }
    try {
      const environment = { DATA_DIR: `${folder}/disk/data`, ADMIN_API_KEY };
      const first = await serve(environment);
      const { body } = await callApi(first, ADMIN_API_KEY, 'POST', '/v1/pages', { name: 'Kept' });
      const page = (body as { id: string }).id;
      const path = `/v1/pages/${page}`;
      await makesReport(first, page);
      fill(`${folder}/disk/filler`);
      await refusesAll(first);
      rmSync(`${folder}/disk/filler`);
      await eventually(async () => (await repeated(first)).status === 200, { within: 60_000 });
      await first.end('SIGTERM');
      fill(`${folder}/disk/filler`);

      const second = await serve(environment);
      assert.match(second.output.stderr, /The disk of .* is full/);
      let response = await callApi(second, ADMIN_API_KEY, 'GET', path);
      while (response.status === 503) response = await callApi(second, ADMIN_API_KEY, 'GET', path);
      assert.equal(response, { status: 200, body });
      assert.is((await callApi(second, ADMIN_API_KEY, 'PATCH', path, { name: 'Changed' })).status, 503);
      await refusesAll(second);
      assert.match(await (await fetch(`${second.address}/health/ready`)).text(), 'The disk is full.');

      rmSync(`${folder}/disk/filler`);
      let written = await callApi(second, ADMIN_API_KEY, 'PATCH', path, { name: 'Changed' });
      while (written.status === 503) written = await callApi(second, ADMIN_API_KEY, 'PATCH', path, { name: 'Changed' });
      assert.is(written.status, 200);
      await second.end('SIGTERM');
    } finally {
      await endPrograms();
      spawnSync('umount', ['-l', `${folder}/disk`]);
    }
  }),
);

test.run();
