import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lacking, openMailbox } from '../../notifiers/email/mailbox.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { createCheck } from '../checking.ts';
import { callApi, endPrograms, IS_CLUSTER, serve, type RunningProgram } from '../program.ts';
import { waitUntilNotifying } from '../subscribing.ts';
import { eventually, realPause } from '../../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const NAME = 'Отчёт о магазине';
/** Number of kills. It is smaller in a cluster, where each kill takes as long as a takeover. */
const KILLS = IS_CLUSTER ? 2 : 5;

const test = suite('reports from end to end');
test.after.each(endPrograms);

interface Report {
  id: string;
  status: string;
  error_message: string | null;
  download_url: string | null;
  summary: { checks: number; uptime_percentage: number | null; outages: number } | null;
}

const requestReport = async (program: RunningProgram, fields: object): Promise<Report> => {
  const today = new Date().toISOString().slice(0, 10);
  const body = { name: NAME, report_type: 'uptime', period_start: today, period_end: today, ...fields };
  const answer = await callApi(program, ADMIN_API_KEY, 'POST', '/v1/reports', body);
  assert.is(answer.status, 202, JSON.stringify(answer.body));
  return answer.body as Report;
};

const madeOf = (program: RunningProgram, { id }: Pick<Report, 'id'>): Promise<Report> =>
  eventually(
    async () => {
      const report = (await callApi(program, ADMIN_API_KEY, 'GET', `/v1/reports/${id}`)).body as Report;
      return report.status !== 'queued' && report;
    },
    { within: 60_000, what: `the report ${id} is made` },
  );

const fileOf = async (program: RunningProgram, { download_url }: Report, publicUrl = ''): Promise<Buffer> => {
  const reply = await fetch(`${program.address}${(download_url ?? '').slice(publicUrl.length)}`);
  assert.is(reply.status, 200);
  return Buffer.from(await reply.arrayBuffer());
};

/** Creates a check that comes up and then goes down. @returns its id */
const checkThatWentDown = async (program: RunningProgram): Promise<string> => {
  const target = createServer((_, response) => response.end('fine'));
  await new Promise<void>((listening) => target.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  const check = await createCheck(program, ADMIN_API_KEY, { name: 'Оплата', type: 'web', url, interval: 86_400 });
  await check.reaches('up', 10);
  target.closeAllConnections();
  await new Promise((closed) => target.close(closed));
  await callApi(program, ADMIN_API_KEY, 'POST', `${check.path}/execute`);
  await check.reaches('down', 20);
  return check.id;
};

test(
  'reports are created in every format with all events, and are deleted with their files',
  inTemporaryFolder(async (folder) => {
    const program = await serve({ DATA_DIR: join(folder, 'data'), ADMIN_API_KEY });
    const check_ids = [await checkThatWentDown(program)];
    const [pdf, csv, json] = await Promise.all(
      ['pdf', 'csv', 'json'].map(async (format) =>
        madeOf(program, await requestReport(program, { format, check_ids, target_percentage: 99.9 })),
      ),
    );
    assert.ok(pdf && csv && json);
    assert.is(pdf.error_message, null);
    assert.equal([pdf.summary?.checks, pdf.summary?.uptime_percentage, pdf.summary?.outages], [1, 50, 1]);

    const file = join(folder, 'report.pdf');
    writeFileSync(file, await fileOf(program, pdf));
    const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
    for (const expected of [NAME, 'Оплата', '50.00 %', 'missed by 1', 'Outages']) assert.match(text, expected);

    const rows = (await fileOf(program, csv)).toString('utf8').split('\r\n');
    assert.ok(
      rows.some((row) => row.startsWith(`outage,${check_ids[0] ?? ''},Оплата,`)),
      rows.join('\n'),
    );

    const output = JSON.parse((await fileOf(program, json)).toString('utf8')) as { outages: { cause: string }[] };
    assert.match(output.outages[0]?.cause ?? '', /\w/);

    assert.is((await callApi(program, ADMIN_API_KEY, 'DELETE', `/v1/reports/${pdf.id}`)).status, 204);
    const gone = async (): Promise<number> => (await fetch(`${program.address}${pdf.download_url ?? ''}`)).status;
    await eventually(async () => (await gone()) === 404);
  }),
);

test(
  'each report is created once, even if the service is killed during its creation',
  inTemporaryFolder(async (DATA_DIR) => {
    const environment = { DATA_DIR, ADMIN_API_KEY };
    const all: Report[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const program = await serve(environment);
      for (const format of ['pdf', 'json', 'csv']) all.push(await requestReport(program, { format }));
      await realPause((kill * 600) / (KILLS - 1), 'the program is killed at different moments');
      await program.end('SIGKILL');
    }
    const program = await serve(environment);
    for (const { id } of all) {
      const report = await madeOf(program, { id });
      assert.is(report.status, 'completed', report.error_message ?? '');
      assert.ok((await fileOf(program, report)).length > 100);
    }
    const { body } = await callApi(program, ADMIN_API_KEY, 'GET', '/v1/audit?action=report.completed&per_page=100');
    const completed = (body as { audit_logs: { resource_id: string }[] }).audit_logs.map((one) => one.resource_id);
    assert.equal(completed.sort(), all.map(({ id }) => id).sort());
    // The processes of a cluster log that other processes were killed.
    if (!IS_CLUSTER) assert.is(program.output.stderr, '');
  }),
);

const absent = lacking();
if (absent !== null) console.log(`skipped: ${absent}`);
else {
  test(
    'reports are sent to their recipients with a link that opens the file',
    inTemporaryFolder(async (DATA_DIR) => {
      const mailbox = await openMailbox();
      try {
        const PUBLIC_URL = 'https://status.example.org';
        const mail = { MAIL_FROM: 'Acme <reports@example.org>', SMTP_URL: mailbox.url };
        const environment = { DATA_DIR, ADMIN_API_KEY, PUBLIC_URL, ...mail };
        const program = await serve(environment);
        await waitUntilNotifying(environment);
        await requestReport(program, { recipients: ['jane@example.com', 'joe@example.com'] });
        const messages = [await mailbox.next(), await mailbox.next()];
        assert.equal(messages.flatMap(({ to }) => to).sort(), ['jane@example.com', 'joe@example.com']);
        const read = await simpleParser(messages[0]?.content ?? '');
        assert.match(read.subject ?? '', NAME);
        const link = /https:\/\/status\.example\.org(\/v1\/artifacts\/\S+)/.exec(read.text ?? '')?.[1] ?? '';
        const reply = await fetch(`${program.address}${link}`);
        assert.is(reply.status, 200);
        assert.is(reply.headers.get('content-type'), 'application/pdf');
      } finally {
        await mailbox.close();
      }
    }),
  );
}

test.run();
