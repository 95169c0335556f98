/**
 * Measures how fast the messages about one cause to very many receivers are planned and delivered: with a notifier that
 * does nothing, and with webhooks.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import type { DeliveryReceiver } from '../../domain/delivery/decide.ts';
import { causeKey } from '../../domain/delivery/events.ts';
import { instantOf } from '../../domain/time.ts';
import { systemClock } from '../../network/clock.ts';
import { createTargetPolicy } from '../../domain/target/policy.ts';
import { systemResolve } from '../../network/resolve.ts';
import type { Notifier, SendOutcome, NotifierSettings } from '../../notifiers/notifier.ts';
import { createWebhook } from '../../notifiers/webhook/index.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import { createHandle } from '../../commands/engine/handle.ts';
import { createReaders } from '../../projections/engine/readers.ts';
import type { CauseItem, CauseKind } from '../../reactors/delivery/cause.ts';
import { createDeliveryReactor } from '../../reactors/delivery/deliver.ts';
import { digests } from '../../reactors/delivery/digests.ts';
import { fanOut, fanOutName } from '../../reactors/delivery/fan-out.ts';
import { createChangeWork } from '../../reactors/engine/changes.ts';
import type { ChangeList } from '../../reactors/engine/lists.ts';
import { readCheckpoint } from '../../reactors/engine/checkpoint.ts';
import { runReactor } from '../../reactors/engine/loop.ts';
import { createShutdown } from '../../service/shutdown.ts';
import { readConfig } from '../../service/config/config.ts';
import { openEmbedded } from '../../service/embedded/open.ts';
import { createTroubleLog } from '../../service/trouble-log.ts';
import { ORGANIZATION } from '../tools/result-samples.ts';
import { sizeOf } from '../tools/sizes.ts';
import { perSecond, type Row } from '../tools/table.ts';
import { contextOf } from '../../test/reactors/context.ts';

const RECEIVERS = sizeOf('DELIVERIES_RECEIVERS', 100_000);
/** Milliseconds until a message to a dead target fails. */
const DEAD_MS = 200;
const DEAD = 'dead';
/** Number of servers that receive webhooks. */
const SERVERS = 50;
const POLL_MS = 100;
const KIND = 'announcement';
const CAUSE: CauseItem = {
  id: 'one',
  changed_position: 1,
  organization_id: ORGANIZATION,
  cause: { kind: KIND, id: 'one' },
  caused_at: instantOf(Date.now()),
  series: null,
  priority: 'page',
};

const received: SendOutcome = { status: 'delivered', response_code: 204 };
const unanswered: SendOutcome = {
  status: 'failed',
  permanent: false,
  notBefore: null,
  reason: 'timeout',
  error_message: 'The target did not respond.',
  response_code: null,
};

const notifier: Notifier = {
  name: 'nothing',
  validate: () => ({}),
  maskedSettings: (settings) => settings,
  rateLimitTarget: () => '',
  send: async (_, { to }) => {
    if (to !== DEAD) return received;
    await sleep(DEAD_MS);
    return unanswered;
  },
};

/** Returns the receivers. The first `dead` receivers share a dead target; each of the others has its own target. */
const receiversOf = (dead: number): DeliveryReceiver[] =>
  Array.from({ length: RECEIVERS }, (_, index) => {
    const id = `r${index.toString().padStart(9, '0')}`;
    return { id, notifier: notifier.name, target: index < dead ? DEAD : id };
  });

/** Creates a single cause with these receivers. */
const causeOf = (receivers: readonly DeliveryReceiver[], settingsOf: (target: string) => NotifierSettings) => {
  const targets = new Map(receivers.map(({ id, target }) => [id, target]));
  const causes: CauseItem[] = [];
  const watchers = new Set<(everything: boolean) => void>();
  const todo = {
    position: () => causes.length,
    folded: () => causes.length,
    watch: (written: (everything: boolean) => void) => {
      watchers.add(written);
      return () => watchers.delete(written);
    },
    passed: () => () => undefined,
  };
  const list: ChangeList<CauseItem> = {
    changedBetween: async (after) => causes.filter(({ changed_position }) => changed_position > after),
    find: async () => causes,
    countAfter: async () => causes.length,
  };
  const kind: CauseKind = {
    kind: KIND,
    list: {
      projection: deliveries,
      collections: [],
      waiting: () => async () => ({ items: 0, since: null }),
      reader: () => list,
      work: (name, _, act) => createChangeWork(name, todo, list, act, {}),
    },
    bind: () => ({
      receivers: async (_, after, limit) => {
        const from = after === null ? 0 : Number(after.slice(1)) + 1;
        return receivers.slice(from, from + limit);
      },
      compose: async ({ receiver_id }) => ({
        settings: settingsOf(targets.get(receiver_id) ?? ''),
        message: { event: 'announced', subject: 'One', text: '', data: {} },
      }),
    }),
  };
  const happens = (): void => {
    causes.push(CAUSE);
    for (const written of watchers) written(false);
  };
  return { kind, todo, happens };
};

interface Measured {
  /** milliseconds until the final page of planned deliveries was in the log */
  planned: number;
  /** milliseconds until all messages to reachable receivers were delivered */
  delivered: number;
  /** peak memory of the process, MiB */
  memory: number;
  /** 99th percentile of the delay of the event loop, milliseconds */
  eventLoop: number;
}

/** The receivers of the cause, and how they are notified. */
interface NotifiedReceivers {
  receivers: DeliveryReceiver[];
  notifier: Notifier;
  settingsOf: (target: string) => NotifierSettings;
  /** number of receivers that can be reached */
  reachable: number;
}

const silently = (dead: number): NotifiedReceivers => ({
  receivers: receiversOf(dead),
  notifier,
  settingsOf: (to) => ({ to }),
  reachable: RECEIVERS - dead,
});

/** Starts servers in another thread. They respond with 204 to every request. */
const webhookServers = async (): Promise<{ ports: number[]; close: () => Promise<unknown> }> => {
  const worker = new Worker(
    `const { createServer } = require('node:http');
    const { parentPort } = require('node:worker_threads');
    const listen = () => new Promise((resolve) => {
      const server = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end()));
      server.listen(0, '127.0.0.1', () => resolve(server.address().port));
    });
    Promise.all(Array.from({ length: ${SERVERS} }, listen)).then((ports) => parentPort.postMessage(ports));`,
    { eval: true },
  );
  const ports = await new Promise<number[]>((resolve) => worker.once('message', resolve));
  return { ports, close: () => worker.terminate() };
};

const byWebhook = (ports: readonly number[]): NotifiedReceivers => {
  const rules = {
    policyName: 'internal',
    policy: createTargetPolicy({ policy: 'internal', allow: '', deny: '' }),
  } as const;
  return {
    receivers: receiversOf(0).map((receiver, index) => ({
      ...receiver,
      notifier: 'webhook',
      target: (ports[index % ports.length] ?? 0).toString(),
    })),
    notifier: createWebhook({ clock: systemClock, resolve: systemResolve, ...rules }),
    settingsOf: (port) => ({ url: `http://127.0.0.1:${port}/hook` }),
    reachable: RECEIVERS,
  };
};

const measure = async (
  folder: string,
  { receivers, notifier: by, settingsOf, reachable }: NotifiedReceivers,
): Promise<Measured> => {
  const closing = createShutdown((name, error) => {
    console.error(name, error);
  });
  const logger = pino({ level: 'error' }, pino.destination(2));
  const config = readConfig({ DATA_DIR: folder });
  const deployment = await openEmbedded(config, { logger, troubles: createTroubleLog(logger, systemClock), closing });
  const { results, coordination } = deployment;
  const { statuses, readStore } = await deployment.startReadModels();
  const readers = createReaders({
    readStore,
    statuses,
    coordination,
    timeout: config.readYourWritesTimeoutMs,
    logs: { main: deployment.main, results },
  });
  const stopping = new AbortController();
  const { kind, todo, happens } = causeOf(receivers, settingsOf);
  const context = contextOf({
    handle: createHandle({ store: deployment.main, clock: Date.now }),
    main: deployment.main,
    results,
    readers,
    statuses,
    coordination,
    perSecond: RECEIVERS,
    notifiers: new Map([[by.name, by]]),
  });
  const reactors = [
    { ...fanOut(kind).begin(context), todo },
    digests.begin(context),
    createDeliveryReactor([kind]).begin(context),
  ];
  const running = reactors.map((reactor) =>
    runReactor(reactor, {
      coordination,
      clock: Date.now,
      log: (level, message, fields, error) => {
        if (level === 'error') console.error(message, fields, error);
      },
      signal: stopping.signal,
    }),
  );
  while ((await readCheckpoint(coordination, fanOutName(kind))) === null) await sleep(10);

  const { deliveries: all, fan_outs } = readers.for({ appended: new Map() })(deliveries);
  const begun = performance.now();
  let memory = 0;
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  const until = async (holds: () => Promise<boolean>): Promise<number> => {
    while (!(await holds())) {
      memory = Math.max(memory, process.memoryUsage.rss() / 1_048_576);
      await sleep(POLL_MS);
    }
    return performance.now() - begun;
  };
  happens();
  const planned = await until(async () => (await fan_outs.get(causeKey(CAUSE.cause)))?.complete === true);
  const delivered = await until(async () => (await all.count({ status: 'delivered' })) === reachable);
  loop.disable();
  stopping.abort();
  await Promise.all(running);
  await closing.close();
  return { planned, delivered, memory, eventLoop: loop.percentile(99) / 1e6 };
};

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const dead = Math.floor(RECEIVERS * 0.9);
  const receivers = RECEIVERS.toLocaleString('en');
  try {
    const good = await measure(join(folder, 'good'), silently(0));
    const mostlyDead = await measure(join(folder, 'dead'), silently(dead));
    const servers = await webhookServers();
    const webhooks = await measure(join(folder, 'webhooks'), byWebhook(servers.ports)).finally(servers.close);
    const row = (what: string, figure: string, { memory, eventLoop }: Measured): Row => ({
      what: `deliveries: ${what}`,
      figure: `${figure}; ${memory.toFixed(0)} MiB, event loop p99 ${eventLoop.toFixed(0)} ms`,
    });
    return [
      row(`planned for one cause, ${receivers}`, perSecond(RECEIVERS, good.planned), good),
      row(`delivered to ${receivers}`, perSecond(RECEIVERS, good.delivered), good),
      row(`webhooks to ${SERVERS} servers, ${receivers}`, perSecond(RECEIVERS, webhooks.delivered), webhooks),
      row(
        `delivered to the others, 90 % of ${receivers} at one dead target`,
        `${perSecond(RECEIVERS - dead, mostlyDead.delivered)}, all after ${(mostlyDead.delivered / 1_000).toFixed(1)} s`,
        mostlyDead,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
