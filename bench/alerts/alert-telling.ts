/**
 * Measures the notifications of an outage of thousands of checks, from the alerts in the log to the requests that
 * webhooks and a messenger receive.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { systemClock } from '../../network/clock.ts';
import { createReaders } from '../../projections/engine/readers.ts';
import { DELIVERY } from '../../reactors/delivery/deliver.ts';
import { DIGESTS } from '../../reactors/delivery/digests.ts';
import { fanOutName } from '../../reactors/delivery/fan-out.ts';
import { readCheckpoint } from '../../reactors/engine/checkpoint.ts';
import { runReactor } from '../../reactors/engine/loop.ts';
import { createShutdown } from '../../service/shutdown.ts';
import { readConfig } from '../../service/config/config.ts';
import { openEmbedded } from '../../service/embedded/open.ts';
import { createConfiguredNotifiers } from '../../service/notifiers.ts';
import { createTroubleLog } from '../../service/trouble-log.ts';
import { reactorsOf } from '../../test/reactors/context.ts';
import { NEVER_RESERVED } from '../../test/network/nothing-reserved.ts';
import { fireAlerts, setUpOutage } from './alert-outage.ts';
import { sizeOf } from '../tools/sizes.ts';
import { perSecond, type Row } from '../tools/table.ts';

const CHECKS = sizeOf('ALERT_CHECKS', 5_000);
const AIM_MS = 30_000;
const POLL_MS = 100;

/** Starts local receivers of webhooks and of a messenger's API. */
const receivers = async () => {
  const counts = { webhook: 0, telegram: 0, alerts: new Set<string>() };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { alert?: { id: string } };
      if (body.alert) counts.alerts.add(body.alert.id);
      counts[body.alert ? 'webhook' : 'telegram'] += 1;
      response.setHeader('content-type', 'application/json').end('{"ok":true}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { counts, url: `http://127.0.0.1:${port}`, close };
};

const measure = async (folder: string) => {
  const closing = createShutdown((name, error) => {
    console.error(name, error);
  });
  const logger = pino({ level: 'error' }, pino.destination(2));
  const { counts, url, close } = await receivers();
  const config = readConfig({ DATA_DIR: folder, WEBHOOK_POLICY: 'internal', TELEGRAM_API_URL: url });
  const deployment = await openEmbedded(config, { logger, troubles: createTroubleLog(logger, systemClock), closing });
  const { main, results, coordination, keys } = deployment;
  const { statuses, readStore } = await deployment.startReadModels();
  const readers = createReaders({
    readStore,
    statuses,
    coordination,
    timeout: config.readYourWritesTimeoutMs,
    logs: { main: deployment.main, results },
  });
  const stopping = new AbortController();
  const nothing = (): never => {
    throw new Error('This path is not served.');
  };
  const names = [fanOutName({ kind: 'alert' }), DIGESTS, DELIVERY];
  const running = reactorsOf({
    handle: Object.assign(nothing, { load: nothing }),
    main,
    results,
    readers,
    statuses,
    keys,
    notifiers: createConfiguredNotifiers(config, NEVER_RESERVED, (kind, text) => keys.fingerprint(kind, text)),
    publicUrl: 'https://status.example.org',
    mails: true,
    perSecond: config.deliveriesPerSecond,
    coordination,
    clock: Date.now,
  })
    .filter(({ name }) => names.includes(name))
    .map((reactor) =>
      runReactor(reactor, {
        coordination,
        clock: Date.now,
        log: (level, message, fields, error) => {
          if (level === 'error') console.error(message, fields, error);
        },
        signal: stopping.signal,
      }),
    );
  await setUpOutage(deployment, CHECKS, url);
  for (const name of names) while ((await readCheckpoint(coordination, name)) === null) await sleep(10);
  const begun = performance.now();
  const fired = await fireAlerts(deployment, CHECKS).then(() => performance.now() - begun);
  let memory = 0;
  let lastChat = 0;
  let [chats, programs] = [0, 0];
  // The messenger gets 20 alerts separately. The others are combined in digests of at most 2,000 alerts.
  const digests = Math.max(0, Math.ceil((CHECKS - 20) / 2_000));
  for (;;) {
    memory = Math.max(memory, process.memoryUsage.rss() / 1_048_576);
    const now = performance.now() - begun;
    if (counts.telegram > chats) [chats, lastChat] = [counts.telegram, now];
    if (programs === 0 && counts.alerts.size === CHECKS) programs = now;
    if ((programs > 0 && chats >= Math.min(CHECKS, 20) + digests) || now > 4 * AIM_MS) break;
    await sleep(POLL_MS);
  }
  stopping.abort();
  await Promise.all(running);
  close();
  await closing.close();
  return { fired, programs, chats, lastChat, webhooks: counts.webhook, memory };
};

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  try {
    const { fired, programs, chats, lastChat, webhooks, memory } = await measure(join(folder, 'data'));
    const checks = CHECKS.toLocaleString('en');
    const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
    const aim = `< ${AIM_MS / 1_000} s`;
    return [
      {
        what: `alerts: outage of ${checks} checks, notified by webhook`,
        figure: `${programs === 0 ? 'not all' : seconds(programs)} (${perSecond(CHECKS, programs)}, ${webhooks.toLocaleString('en')} requests; the alerts fired within ${seconds(fired)}); ${memory.toFixed(0)} MiB`,
        aim,
      },
      {
        what: `alerts: the same, notified by messenger in ${chats} messages`,
        figure: seconds(lastChat),
        aim,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
