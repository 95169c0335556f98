/** An outage of thousands of checks at once: from the alerts in the log to what a program and a messenger have got. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import {
  channelField,
  channelKey,
  mapChannelTexts,
  type ChannelType,
  type Configuration,
  type StoredConfiguration,
} from '../domain/alert-channel/configuration.ts';
import { alertIdOf } from '../domain/alert/identity.ts';
import type { EventOf, EventType } from '../domain/catalogue.ts';
import { derivedId, derivedUuid } from '../domain/identity.ts';
import { systemEvent } from '../domain/system-event.ts';
import { instantOf } from '../domain/time.ts';
import { systemClock } from '../network/clock.ts';
import { createReaders } from '../projections/engine/readers.ts';
import { DELIVERY } from '../reactors/delivery/deliver.ts';
import { DIGESTS } from '../reactors/delivery/digests.ts';
import { fanOutName } from '../reactors/delivery/fan-out.ts';
import { readCheckpoint } from '../reactors/engine/checkpoint.ts';
import { runReactor } from '../reactors/engine/loop.ts';
import { createClosing } from '../service/closing.ts';
import { readConfig } from '../service/config/config.ts';
import { openEmbedded } from '../service/embedded/open.ts';
import type { Deployment } from '../service/deployment.ts';
import { notifiersOf } from '../service/parts/notifiers.ts';
import { reactorsOf } from '../service/parts/reactors.ts';
import { createTroubles } from '../service/parts/troubles.ts';
import { ORGANIZATION } from './result-samples.ts';
import { sizeOf } from './sizes.ts';
import { perSecond, type Row } from './table.ts';

const CHECKS = sizeOf('ALERT_CHECKS', 5_000);
const AIM_MS = 30_000;
const AT_ONCE = 200;
const POLL_MS = 100;
const CHANNELS = { webhook: derivedId('bench webhook'), telegram: derivedId('bench telegram') };

/** A program that takes webhooks, and a messenger's interface, here. */
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
  return { counts, url: `http://127.0.0.1:${port.toString()}`, close };
};

/** Appends one event to each of many streams. */
const appendAll = async (
  { main }: Pick<Deployment, 'main'>,
  events: readonly { stream: string; event: EventOf<EventType> }[],
): Promise<bigint> => {
  let last = 0n;
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const page = events.slice(from, from + AT_ONCE).map(async ({ stream, event }) => {
      const id = derivedUuid(`${stream}/${event.type}`);
      const made = systemEvent(event, { id, by: 'bench', organizationId: ORGANIZATION, now: instantOf(Date.now()) });
      const { position } = await main.append(stream, [made], 'any');
      if (position > last) last = position;
    });
    await Promise.all(page);
  }
  return last;
};

const checkIdOf = (index: number): string => derivedId(`bench check ${index.toString()}`);
const ruleIdOf = (index: number): string => derivedId(`bench rule ${index.toString()}`);
const indexes = Array.from({ length: CHECKS }, (_, index) => index);

const rule = (index: number) =>
  ({
    name: `Check ${index.toString()} fails`,
    check_id: checkIdOf(index),
    condition: 'check_failed',
    condition_parameters: {},
    multi_region_mode: 'any_region',
    multi_region_threshold: null,
    severity: 'high',
    channel_ids: Object.values(CHANNELS),
    cooldown_period: 300,
    auto_resolve: true,
    enabled: true,
    confirmations: 1,
    recovery_confirmations: 1,
  }) as const;

/** Checks, a rule of each, and the channels that all of them tell. */
const setUp = async (deployment: Deployment, url: string): Promise<void> => {
  const { keys } = deployment;
  const channel = async (type: ChannelType, channel_id: string, configuration: Configuration) => {
    const sealed = await mapChannelTexts(configuration, (text, place) =>
      keys.seal(channelKey(channel_id), text as string, { organizationId: ORGANIZATION, field: channelField(place) }),
    );
    const fields = { name: type, type, configuration: sealed as StoredConfiguration, enabled: true };
    const data = { channel_id, organization_id: ORGANIZATION, channel: fields };
    return { stream: `alert_channel-${channel_id}`, event: { type: 'AlertChannelCreated', data } as const };
  };
  const hook = { url: `${url}/hook`, method: 'POST', headers: {}, body_template: null, secret: null } as const;
  await appendAll(deployment, [
    await channel('webhook', CHANNELS.webhook, hook),
    await channel('telegram', CHANNELS.telegram, { bot_token: '1:token', chat_id: '-100' }),
  ]);
  await appendAll(
    deployment,
    indexes.map((index) => {
      const check_id = checkIdOf(index);
      const settings = {
        interval: 60,
        timeout: 10,
        host: null,
        url: 'http://127.0.0.1:9/',
        port: null,
        parameters: {},
      };
      const named = { check_id, organization_id: ORGANIZATION, type: 'web', name: `Check ${index.toString()}` };
      return {
        stream: `check-${check_id}`,
        event: { type: 'CheckCreated', data: { ...named, active: true, ...settings } },
      };
    }),
  );
  await appendAll(
    deployment,
    indexes.map((index) => {
      const rule_id = ruleIdOf(index);
      const data = { rule_id, organization_id: ORGANIZATION, rule: rule(index) };
      return { stream: `alert_rule-${rule_id}`, event: { type: 'AlertRuleCreated', data } as const };
    }),
  );
};

/** All alerts fire. */
const fire = (deployment: Deployment): Promise<bigint> =>
  appendAll(
    deployment,
    indexes.map((index) => {
      const rule_id = ruleIdOf(index);
      const alert_id = alertIdOf(rule_id, 1);
      const { name: rule_name, check_id, condition, condition_parameters, severity, channel_ids } = rule(index);
      const check_name = `Check ${index.toString()}`;
      const data: EventOf<'AlertFired'>['data'] = {
        ...{ alert_id, organization_id: ORGANIZATION, number: 1, rule_id, rule_name, check_id, check_name },
        ...{ check_type: 'web', severity, condition, condition_parameters, channel_ids: [...channel_ids] },
        title: `${check_name} is down`,
        description: `The check ${check_name} has failed.`,
        fired_at: instantOf(Date.now()),
        trigger_results: [],
        regional_summary: [],
        alert_metadata: {},
      };
      return { stream: `alert-${alert_id}`, event: { type: 'AlertFired', data } };
    }),
  );

const measure = async (folder: string) => {
  const closing = createClosing((name, error) => {
    console.error(name, error);
  });
  const logger = pino({ level: 'error' }, pino.destination(2));
  const { counts, url, close } = await receivers();
  const config = readConfig({ DATA_DIR: folder, WEBHOOK_POLICY: 'internal', TELEGRAM_API_URL: url });
  const deployment = await openEmbedded(config, { logger, troubles: createTroubles(logger, systemClock), closing });
  const { main, results, coordination, keys } = deployment;
  const { statuses, readStore } = await deployment.startReadModels();
  const readers = createReaders({ readStore, statuses, coordination, timeout: config.readYourWritesTimeoutMs });
  const stopping = new AbortController();
  const nothing = (): never => {
    throw new Error('Nothing of that is done here.');
  };
  const names = [fanOutName({ kind: 'alert' }), DIGESTS, DELIVERY];
  const running = reactorsOf({
    handle: Object.assign(nothing, { load: nothing }),
    main,
    results,
    startRun: nothing,
    readers,
    statuses,
    telling: {
      keys,
      notifiers: notifiersOf(config, (kind, text) => keys.fingerprint(kind, text)),
      askWebhook: nothing,
      publicUrl: 'https://status.example.org',
      perSecond: config.deliveriesPerSecond,
    },
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
  await setUp(deployment, url);
  for (const name of names) while ((await readCheckpoint(coordination, name)) === null) await sleep(10);
  const begun = performance.now();
  const fired = await fire(deployment).then(() => performance.now() - begun);
  let memory = 0;
  let lastChat = 0;
  let [chats, programs] = [0, 0];
  // A digest stands for at most 2,000, and each of the others comes by itself.
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
    const aim = `< ${(AIM_MS / 1_000).toString()} s`;
    return [
      {
        what: `alerts: outage of ${checks} checks, told to a program`,
        figure: `${programs === 0 ? 'not all' : seconds(programs)} (${perSecond(CHECKS, programs)}, ${webhooks.toLocaleString('en')} requests; the alerts fired within ${seconds(fired)}); ${memory.toFixed(0)} MiB`,
        aim,
      },
      {
        what: `alerts: the same, told by a messenger in ${chats.toString()} messages`,
        figure: seconds(lastChat),
        aim,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
