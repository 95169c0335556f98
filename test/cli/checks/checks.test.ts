import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changeCreditLimit } from '../../../commands/organizations/organizations.ts';
import { listChecks, type ChecksOptions } from '../../../cli/checks/checks.ts';
import { sparkline } from '../../../cli/checks/sparkline.ts';
import type { PresentedCheck } from '../../../cli/checks/present.ts';
import type { Output } from '../../../service/output.ts';
import { derivedId } from '../../../domain/identity.ts';
import { instantOf } from '../../../domain/time.ts';
import type { Read } from '../../../projections/readers.ts';
import { resultOf } from '../../domain/check-result/examples.ts';
import { startService } from '../../api/service.ts';
import { aContext } from '../../commands/simulated-processes.ts';
import { collectLines } from '../../service/lines.ts';

const NOW = Date.now();

const test = suite('uptrail checks');
const service = await startService({ now: NOW });
const { first, second, request } = service;
test.after(() => service.stop());

const read: Read = service.readers.for({ appended: new Map() });

const create = async (name: string, body: object = {}, key = first.keys.editor): Promise<string> => {
  const check = { name, type: 'web', url: 'https://shop.example/', interval: 60, ...body };
  return ((await request('POST', '/v1/checks', { body: check, key })).json() as { id: string }).id;
};

const results = async (checkId: string, times: (number | null)[]): Promise<void> => {
  for (const [index, time] of times.entries()) {
    const at = NOW - (times.length - index) * 1_000;
    const bad = { status: 'down', error_message: 'Connection refused by 127.0.0.1:81.\u001b[2J' } as const;
    const fields = { organization_id: first.id, response_time: time, ...(time === null && bad) };
    const { position } = await service.stores.results.append('check_results-1', [resultOf(checkId, at, fields)], 'any');
    await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
  }
};

const options = (more: Partial<ChecksOptions> = {}): ChecksOptions => ({
  watch: false,
  json: false,
  signal: new AbortController().signal,
  ...more,
});

const listed = async (more: Partial<ChecksOptions> = {}, output: Partial<Output> = {}): Promise<string[]> => {
  const collected = collectLines();
  await listChecks(read, options(more), { ...collected, ...output });
  return collected.lines;
};

const shop = await create('Shop');
const gate = await create('Gate\u0007', { type: 'tcp', url: null, host: '127.0.0.1', port: 81 });
await create('Store', { active: false });
await create('Other', {}, second.keys.editor);
await results(shop, [10, 20, null, 80]);
await results(gate, [null]);

test('uptrail checks lists checks with their newest result, shows no bars if the output is not a terminal, and escapes control characters in names', async () => {
  const lines = await listed({ organization: first.id });
  const at = (ago: number) => instantOf(NOW - ago).slice(0, 19);
  assert.equal(
    lines.map((line) => line.replace(/ {2,}/g, '  ')),
    [
      'ID  NAME  TYPE  STATUS  LAST CHECKED (UTC)  LAST RESULT',
      `${gate}  Gate\ufffd  tcp  pending  ${at(1_000)}  down: Connection refused by 127.0.0.1:81.\ufffd[2J`,
      `${shop}  Shop  web  pending  ${at(1_000)}  ok in 80 ms`,
      `${derivedIdOf(lines, 'Store')}  Store  web  pending, inactive  never`,
    ],
  );
});

const derivedIdOf = (lines: readonly string[], name: string): string =>
  lines.find((line) => line.includes(` ${name} `))?.slice(0, 12) ?? derivedId('nothing');

test('uptrail checks shows response times as bars, fitted to the width of the terminal', async () => {
  const terminal = { terminal: true, size: () => ({ rows: 24, columns: 200 }) };
  const lines = await listed({ organization: first.id }, terminal);
  assert.match(lines[0] ?? '', 'RESPONSE TIMES');
  assert.match(lines.find((line) => line.includes('Shop')) ?? '', ' ▂▃×█ ');
  const narrow = await listed({}, { terminal: true, size: () => ({ rows: 24, columns: 30 }) });
  assert.ok(narrow.every((line) => Array.from(line).length <= 30));
});

test('uptrail checks lists the checks of all organizations, up to the limit', async () => {
  assert.is((await listed()).length, 5);
  const lines = await listed({ limit: 1 });
  assert.is(lines.length, 3);
  assert.is(lines[2], '… and 3 more');
});

test('uptrail checks --json writes one object for each check', async () => {
  const shown = (await listed({ json: true })).map((line) => JSON.parse(line) as PresentedCheck);
  assert.is(shown.length, 4);
  const one = shown.find(({ id }) => id === shop);
  assert.equal(one, {
    id: shop,
    organization_id: first.id,
    name: 'Shop',
    type: 'web',
    active: true,
    status: 'pending',
    suspended_reason: null,
    last_checked_at: instantOf(NOW - 1_000),
    last_result: { status: 'ok', region: 'RU, Moscow', response_time: 80, error_message: null },
    response_times: [10, 20, null, 80],
  });
});

test('uptrail checks shows why checks are suspended', async () => {
  const usage = { period_start: instantOf(NOW), used: 0 };
  const context = aContext({ organizationId: first.id });
  await service.commands.bind(changeCreditLimit)({ limit: 0, usage }, context);
  await service.readers.waitFor(['organizations'], context);
  const line = (await listed()).find((one) => one.includes('Shop'));
  assert.match(line ?? '', ' pending, suspended: Credit limit exceeded ');
});

test('uptrail checks --watch refreshes in place on a terminal until it is stopped', async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  const output: Output = {
    terminal: true,
    size: () => ({ rows: 5, columns: 80 }),
    line: async (text) => {
      lines.push(text);
      if (text === '\u001b[J') stop.abort();
    },
  };
  await listChecks(read, options({ watch: true, signal: stop.signal }), output);
  assert.match(lines[0] ?? '', /^\u001b\[H\u001b\[2JID /);
  assert.is(lines.length, 5, 'the headings, two checks, how many more, and the rest of the screen');
});

test('a sparkline is scaled to the largest response time, and shows a run without a response time as a cross', () => {
  assert.is(sparkline([0, 50, 100, null]), '▁▅█×');
  assert.is(sparkline([7, 7]), '██');
  assert.is(sparkline([0]), '▁');
  assert.is(sparkline([]), '');
});

test.run();
