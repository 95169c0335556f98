import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listActiveAlerts, type AlertsOptions } from '../../../cli/alerts/alerts.ts';
import { instantOf, MINUTE_MS } from '../../../domain/time.ts';
import type { Output } from '../../../service/output.ts';
import { storeFiredAlert, resolveAutomatically } from '../../api/alerts.ts';
import { startService } from '../../api/service.ts';
import { collectLines } from '../../service/lines.ts';

const NOW = Date.now();

const test = suite('uptrail alerts');
const service = await startService({ now: NOW });
const { first, second, time } = service;
test.after(() => service.stop());

const listed = async (more: Partial<AlertsOptions> = {}, output: Partial<Output> = {}): Promise<string[]> => {
  const collected = collectLines();
  const options = { watch: false, json: false, signal: new AbortController().signal, ...more };
  await listActiveAlerts(service.readers.for({ appended: new Map() }), options, { ...collected, ...output });
  return collected.lines;
};

const firedAgo = (ago: number, title: string, organizationId = first.id): Promise<string> => {
  time.now = NOW - ago;
  return storeFiredAlert(service, organizationId, { title });
};

const shop = await firedAgo(90 * MINUTE_MS, 'Shop is down');
const gate = await firedAgo(5 * MINUTE_MS, 'Gate\u001b[2J is slow');
const other = await firedAgo(26 * 60 * MINUTE_MS, 'Other is down', second.id);
await resolveAutomatically(service, first.id, await firedAgo(MINUTE_MS, 'Over'));

const since = (ago: number) => instantOf(NOW - ago).slice(0, 19);

test('uptrail alerts lists active alerts, newest first, and escapes control characters in titles', async () => {
  assert.equal(
    (await listed()).map((line) => line.replace(/ {2,}/g, '  ')),
    [
      'ID  SEVERITY  STATUS  SINCE (UTC)  FOR  ALERT',
      `${gate}  high  firing  ${since(5 * MINUTE_MS)}  5 min  Gate\ufffd[2J is slow`,
      `${shop}  high  firing  ${since(90 * MINUTE_MS)}  1 h 30 min  Shop is down`,
      `${other}  high  firing  ${since(26 * 60 * MINUTE_MS)}  1 d 2 h  Other is down`,
    ],
  );
});

test('uptrail alerts --json writes one alert per line, limited to the named organization', async () => {
  const [line = '', ...others] = await listed({ json: true, organization: second.id });
  assert.equal(others, []);
  const { id, title, status, organization_id } = JSON.parse(line) as Record<string, unknown>;
  assert.equal([id, title, status, organization_id], [other, 'Other is down', 'firing', second.id]);
});

test('uptrail alerts shows how many alerts it has left out', async () => {
  const lines = await listed({ limit: 1 });
  assert.equal(lines.at(-1), '… and 2 more');
  assert.is(lines.length, 3);
});

test('uptrail alerts --watch refreshes the list until it is interrupted', async () => {
  const over = new AbortController();
  let shown = 0;
  const line = async (): Promise<void> => {
    if (++shown === 4) over.abort();
  };
  await listed({ watch: true, signal: over.signal }, { line });
  assert.is(shown, 4);
});

test.run();
