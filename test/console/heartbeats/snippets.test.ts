import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import {
  snippetsFor,
  SCHEDULERS,
  type PingedHeartbeat,
  type JobScheduler,
  type Snippet,
} from '../../../console/screens/heartbeat/snippets/snippets.ts';
import { fileNameOf, quoteForShell } from '../../../console/screens/heartbeat/snippets/quoting.ts';
import { cronOf, kubernetesSchedule, timerSettings } from '../../../console/screens/heartbeat/snippets/schedules.ts';

const test = suite('snippets with which a job pings its heartbeat');

/** The pings that the test server has received, such as `POST /ping exit status 0`. */
const pings: string[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => (body += part));
  request.on('end', () => {
    pings.push(`${request.method ?? ''} ${request.url ?? ''} ${body}`.trim());
    response.end('{}');
  });
});
const folder = mkdtempSync(join(tmpdir(), 'lines-'));
let url = '';
test.before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping`;
});
test.before.each(() => {
  pings.length = 0;
});
test.after(async () => {
  rmSync(folder, { recursive: true });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const pinged = (changes: Partial<PingedHeartbeat> = {}): PingedHeartbeat => ({
  name: 'Backup of eu',
  url,
  period_seconds: 86_400,
  schedule: '30 3 * * *',
  time_zone: 'Europe/Berlin',
  ...changes,
});

const snippet = (place: JobScheduler, what: Snippet['what'], changes: Partial<PingedHeartbeat> = {}): string => {
  const found = snippetsFor(place, pinged(changes)).find((one) => one.what === what);
  assert.ok(found);
  return found.text;
};

/** Runs a shell with these arguments. @returns the exit status */
const run = (args: string[]): Promise<number> =>
  new Promise((resolve) => {
    execFile('sh', args, (error) => {
      resolve(error ? Number(error.code) : 0);
    });
  });

/** Returns the shell command of a crontab line, in which `job` replaces the command of the example. */
const commandOf = (line: string, job: string): string =>
  line
    .replace('30 3 * * * ', '')
    .replaceAll(String.raw`\%`, '%')
    .replace('/usr/local/bin/job', job);

test('the cron line of a heartbeat sends a ping at the start of a job, and a second ping with the outcome of the job', async () => {
  const line = snippet('cron', 'startAndEnd');
  assert.is(await run(['-c', commandOf(line, 'true')]), 0);
  await run(['-c', commandOf(line, 'false')]);
  assert.equal(pings, ['GET /ping/start', 'GET /ping', 'GET /ping/start', 'GET /ping/fail']);
});

test('the short cron line of a heartbeat sends a ping only if the job succeeds', async () => {
  const line = snippet('cron', 'success');
  await run(['-c', commandOf(line, 'false')]);
  assert.equal(pings, []);
  await run(['-c', commandOf(line, 'true')]);
  assert.equal(pings, ['GET /ping']);
});

test('the heartbeat script sends the exit status and the end of the output of a job, and exits with that status', async () => {
  const script = join(folder, 'with-heartbeat');
  writeFileSync(script, snippet('curl', 'script'));
  assert.is(await run([script, 'sh', '-c', 'echo "50% done"; echo two words >&2']), 0);
  assert.is(await run([script, 'sh', '-c', 'head -c 20000 /dev/zero | tr "\\0" x; echo end; exit 3']), 3);
  assert.equal(pings.slice(0, 3), [
    'GET /ping/start',
    'POST /ping exit status 0\n50% done\ntwo words',
    'GET /ping/start',
  ]);
  const last = pings[3] ?? '';
  assert.ok(last.startsWith('POST /ping/fail exit status 3\nxxx') && last.endsWith('xend'), last);
  assert.ok(last.length < 10_240);
});

test('the systemd unit of a heartbeat sends the result that systemd reports', async () => {
  const unit = snippet('systemd', 'service');
  const [, command = ''] = /^ExecStopPost=-\/bin\/sh -c '(.*)'$/m.exec(unit) ?? [];
  const asSystemd = command.replaceAll('$$', '$').replaceAll('%%', '%');
  await run(['-c', `SERVICE_RESULT=success EXIT_STATUS=0; ${asSystemd}`]);
  await run(['-c', `SERVICE_RESULT=exit-code EXIT_STATUS=3; ${asSystemd}`]);
  assert.equal(pings, ['POST /ping success, exit status 0', 'POST /ping/fail exit-code, exit status 3']);
});

test('shell commands in the name or the URL of a heartbeat are not executed by the snippets', async () => {
  const name = `"; rm -rf ~ #\n'$(reboot)' %`;
  for (const place of SCHEDULERS)
    for (const { text, file } of snippetsFor(place, pinged({ name }))) {
      assert.not(/reboot\)|rm -rf/.test(text), text);
      assert.not(/[^\w/. :-]/.test(file ?? ''), file ?? '');
    }
  assert.is(fileNameOf(name), 'rm-rf-reboot');
  assert.is(fileNameOf('Жур'), 'job');
  assert.is(fileNameOf('Sauvegarde nocturne (Élan)'), 'sauvegarde-nocturne-e-lan');
  const odd = `${url}/it's%20$HOME`;
  await run(['-c', commandOf(snippet('cron', 'success', { url: odd }), 'true')]);
  assert.is(pings.length, 1);
  assert.ok(pings[0]?.includes('$HOME'), pings[0]);
  assert.is(quoteForShell("it's"), String.raw`'it'\''s'`);
});

test('the cron line of a heartbeat with a period has the longest interval that is not longer than the period', () => {
  const lineFor = (period_seconds: number) => cronOf({ period_seconds, schedule: null, time_zone: 'UTC' });
  assert.equal([60, 90, 300, 420, 3_600, 5_400, 86_400, 604_800, 1_000_000].map(lineFor), [
    '* * * * *',
    '* * * * *',
    '*/5 * * * *',
    '*/6 * * * *',
    '0 * * * *',
    '0 * * * *',
    '0 3 * * *',
    '0 3 * * 0',
    '0 3 * * 0',
  ]);
  assert.is(cronOf({ period_seconds: 60, schedule: '@daily', time_zone: 'UTC' }), '@daily');
});

test('the systemd timer and the CronJob of a heartbeat have the times of its schedule', () => {
  const timer = (schedule: string) =>
    timerSettings({ schedule, period_seconds: 60, time_zone: 'Europe/Berlin' }).filter((line) => line.startsWith('On'));
  assert.equal(timer('30 3 * * *'), ['OnCalendar=*-*-* 03:30:00 Europe/Berlin']);
  assert.equal(timer('*/20 8-9 * jan,feb mon-fri'), [
    'OnCalendar=Mon,Tue,Wed,Thu,Fri *-01,02-* 08,09:00,20,40:00 Europe/Berlin',
  ]);
  assert.equal(timer('0 0 1 * 7'), [
    'OnCalendar=*-*-01 00:00:00 Europe/Berlin',
    'OnCalendar=Sun *-*-* 00:00:00 Europe/Berlin',
  ]);
  assert.equal(timerSettings({ schedule: null, period_seconds: 90, time_zone: 'UTC' }), [
    'OnActiveSec=0',
    'OnUnitActiveSec=90s',
    'AccuracySec=1s',
  ]);
  assert.is(kubernetesSchedule('0 3 * * 5-7'), '0 3 * * 0,5,6');
  assert.is(kubernetesSchedule('0 3 * * mon-fri'), '0 3 * * mon-fri');
  assert.is(kubernetesSchedule('@daily'), '@daily');
  const { metadata, spec } = parse(snippet('kubernetes', 'cronJob')) as {
    metadata: { name: string };
    spec: {
      schedule: string;
      timeZone: string;
      jobTemplate: { spec: { template: { spec: { containers: { command: string[] }[] } } } };
    };
  };
  assert.equal([metadata.name, spec.schedule, spec.timeZone], ['backup-of-eu', '30 3 * * *', 'Europe/Berlin']);
  const [, , script = ''] = spec.jobTemplate.spec.template.spec.containers[0]?.command ?? [];
  assert.equal(script.trim().split('\n').length, 6);
});

test.run();
