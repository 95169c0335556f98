/** Measures how far the evaluation of alert rules lags behind the log of results, with very many checks and rules. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createHandle } from '../../commands/engine/handle.ts';
import type { AlertRuleFields } from '../../domain/alert-rule/fields.ts';
import { definitionKey } from '../../domain/check/definition-key.ts';
import type { EventOf } from '../../domain/event-types.ts';
import { NO_GROUP } from '../../domain/check/state.ts';
import { derivedId, derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf } from '../../domain/time.ts';
import { systemClock } from '../../network/clock.ts';
import { createReaders } from '../../projections/engine/readers.ts';
import { ruleInputs } from '../../projections/rule-inputs/projection.ts';
import {
  createJudgeWork,
  combineLists,
  createUnreadLists,
  type JudgeDependencies,
} from '../../reactors/alerts/judge.ts';
import { ALERT_RULES } from '../../reactors/alerts/apply-judgement.ts';
import { runReactor } from '../../reactors/engine/loop.ts';
import { createShutdown } from '../../service/shutdown.ts';
import { readConfig } from '../../service/config/config.ts';
import { openEmbedded } from '../../service/embedded/open.ts';
import { createTodoProjection } from '../../reactors/engine/todo-projection.ts';
import { createTroubleLog } from '../../service/trouble-log.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { ORGANIZATION, STREAM, webResult } from '../tools/result-samples.ts';
import { sizeOf } from '../tools/sizes.ts';
import { percentile, type Row } from '../tools/table.ts';

const CHECKS = sizeOf('JUDGING_CHECKS', 100_000);
const RULES = sizeOf('JUDGING_RULES', 10_000);
/**
 * Number of rules that select checks by tag, a multiple of {@link UPTIME}. If the number is 0, the benchmark creates
 * `RULES` rules instead, each for one check.
 */
const TAGS = sizeOf('JUDGING_TAGS', 0);
const RATE = sizeOf('JUDGING_RATE', 2_000);
const SECONDS = sizeOf('JUDGING_SECONDS', 30);
/**
 * Seconds after the start that are not measured. In this time every rule is evaluated once, as after a takeover of the
 * reactor.
 */
const SETTLING = sizeOf('JUDGING_SETTLING', 10);
/** Every fifth rule is an uptime rule. */
const UPTIME = 5;
const BATCH_MS = 50;
/** Maximum time to wait for alerts that should fire or resolve. */
const PATIENCE_MS = 60_000;
/**
 * Maximum number of results in one append. Results that are overdue because of a delay are spread over the next
 * appends.
 */
const MOST = 500;
const AT_ONCE = 500;

const target = { type: 'web', url: 'https://shop.example/', host: null, port: null, parameters: {} };
const definition = definitionKey(target);
const checkId = (index: number): string => derivedId(`check ${index}`);

const tagOf = (index: number): string => `tag-${index % TAGS}`;

const rule = (index: number): AlertRuleFields => ({
  name: `Rule ${index}`,
  ...(TAGS > 0 ? { check_id: null, tag: tagOf(index) } : { check_id: checkId(index), tag: null }),
  ...(index % UPTIME === 0
    ? { condition: 'uptime_below_threshold', condition_parameters: { threshold: 50, window_seconds: 86_400 } }
    : { condition: 'check_failed', condition_parameters: {} }),
  multi_region_mode: 'any_region',
  multi_region_threshold: null,
  severity: 'medium',
  channel_ids: [],
  cooldown_period: 0,
  auto_resolve: true,
  enabled: true,
  confirmations: 1,
  recovery_confirmations: 1,
});

const fill = async (main: EventStore): Promise<void> => {
  const now = instantOf(Date.now() - 60_000);
  const append = (stream: string, event: EventOf<'CheckCreated' | 'AlertRuleCreated'>): Promise<unknown> => {
    const made = systemEvent(event, { id: derivedUuid(stream), by: 'bench', organizationId: ORGANIZATION, now });
    return main.append(stream, [made], 'no_stream');
  };
  const settings = { active: true, interval: 60, timeout: 10, ...target, ...NO_GROUP, secrets: [] };
  const create = async (index: number): Promise<void> => {
    const id = checkId(index);
    const ids = { check_id: id, organization_id: ORGANIZATION };
    const data = {
      ...ids,
      name: `Shop ${index}`,
      tags: index < RULES && TAGS > 0 ? [tagOf(index)] : [],
      ...settings,
    };
    await append(`check-${id}`, { type: 'CheckCreated', data });
    if (index >= (TAGS > 0 ? TAGS : RULES)) return;
    const rule_id = derivedId(`rule ${index}`);
    const created = { rule_id, organization_id: ORGANIZATION, rule: rule(index) };
    await append(`alert_rule-${rule_id}`, { type: 'AlertRuleCreated', data: created });
  };
  for (let first = 0; first < CHECKS; first += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, CHECKS - first) }, (_, offset) => create(first + offset)));
  }
};

interface Measured {
  /** milliseconds from storing a result until the alert change that the result caused is stored */
  lags: number[];
  /** milliseconds by which the read model of rule inputs is behind the log */
  folded: number[];
  appended: number;
  milliseconds: number;
  memory: number;
  eventLoop: number;
}

const measure = async (folder: string): Promise<Measured> => {
  const closing = createShutdown((name, error) => {
    console.error(name, error);
  });
  const logger = pino({ level: 'error' }, pino.destination(2));
  const config = readConfig({ DATA_DIR: folder });
  const deployment = await openEmbedded(config, { logger, troubles: createTroubleLog(logger, systemClock), closing });
  const { main, results, coordination } = deployment;
  await fill(main);
  const { statuses, readStore } = await deployment.startReadModels();
  const readers = createReaders({ readStore, statuses, coordination, timeout: config.readYourWritesTimeoutMs });
  while (statuses.all().some(({ state }) => state !== 'live')) await sleep(50);

  const stopping = new AbortController();
  const { signal } = stopping;
  const dependencies: JudgeDependencies = {
    handle: createHandle({ store: main, clock: Date.now }),
    read: readers.for({ appended: new Map() }),
    readAfter: (position) => readers.for({ appended: new Map([['main', BigInt(position)]]) }),
    todo: (projection, ...collections) => createTodoProjection(projection, collections, { statuses, appended: null }),
  };
  const unread = createUnreadLists();
  const todo = combineLists(dependencies, unread);
  const reactor = { name: ALERT_RULES, countsEarlier: true, todo, work: createJudgeWork(dependencies, todo, unread) };
  const judging = runReactor(reactor, {
    coordination,
    clock: Date.now,
    log: (level, message, fields, error) => {
      if (level === 'error') console.error(message, fields, error);
    },
    signal,
  });

  const begun = performance.now();
  /** by check: the time at which the result that should make the alert fire or resolve was stored */
  const due = new Map<string, number>();
  const lags: number[] = [];
  const checkOf = new Map<string, string>();
  const listening = (async () => {
    for await (const events of main.subscribe({
      after: (await main.readAll({ after: 0n, limit: 1 }))[0]?.position ?? 0n,
      signal,
    })) {
      for (const { type, data } of events) {
        const { alert_id, check_id } = data as { alert_id: string; check_id: string };
        if (type === 'AlertFired') checkOf.set(alert_id, check_id);
        if (type !== 'AlertFired' && type !== 'AlertResolved') continue;
        const check = checkOf.get(alert_id) ?? '';
        const since = due.get(check);
        if (since !== undefined && since > begun + SETTLING * 1_000) lags.push(performance.now() - since);
        due.delete(check);
      }
    }
  })();

  const good = new Map<string, boolean>();
  const folded: number[] = [];
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  let memory = 0;
  let appended = 0;
  const appends = new Set<Promise<void>>();
  for (let elapsed = 0; elapsed < (SETTLING + SECONDS) * 1_000; elapsed = performance.now() - begun) {
    const count = Math.min(MOST, Math.floor((elapsed / 1_000) * RATE) - appended);
    const now = Date.now();
    const events = Array.from({ length: count }, (_, offset) => {
      // Takes the checks in an order that distributes the checks with rules evenly.
      const event = webResult(checkId(((appended + offset) * 7_919) % CHECKS), now);
      return {
        ...event,
        data: { ...event.data, definition },
        metadata: { ...event.metadata, recorded_at: instantOf(now) },
      };
    });
    appended += count;
    if (count > 0) {
      const append = results.append(STREAM, events, 'any').then(({ position }) => {
        const stored = performance.now();
        for (let index = 0; index < count; index++) {
          const { check_id = '', status } = events[index]?.data ?? {};
          const isGood = status === 'ok';
          const was = good.get(check_id) ?? true;
          good.set(check_id, isGood);
          if (was !== isGood && judgedAtOnce.has(check_id)) due.set(check_id, stored);
        }
        void statuses.passed(ruleInputs.name, position, PATIENCE_MS).then(
          () => folded.push(performance.now() - stored),
          () => folded.push(PATIENCE_MS),
        );
      });
      appends.add(append);
      void append.finally(() => appends.delete(append));
    }
    memory = Math.max(memory, process.memoryUsage.rss() / 1_048_576);
    await sleep(count === MOST ? 1 : BATCH_MS);
  }
  await Promise.all(appends);
  const milliseconds = performance.now() - begun;
  loop.disable();
  const late = performance.now();
  while (due.size > 0 && performance.now() < late + PATIENCE_MS) await sleep(50);
  if (due.size > 0) throw new Error(`${due.size} changes were not judged.`);
  stopping.abort();
  await Promise.all([judging, listening]);
  await closing.close();
  return { lags, folded, appended, milliseconds, memory, eventLoop: loop.percentile(99) / 1e6 };
};

/** Checks whose rule fires after one bad result, and resolves after one good result. */
const judgedAtOnce = new Set(
  Array.from({ length: RULES }, (_, index) => index)
    .filter((index) => index % UPTIME !== 0)
    .map(checkId),
);

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  try {
    const { lags, folded, appended, milliseconds, memory, eventLoop } = await measure(folder);
    const [p50, p99, most] = [0.5, 0.99, 1].map((share) => percentile(lags, share).toFixed(0));
    const rate = Math.round((appended / milliseconds) * 1_000).toLocaleString('en');
    return [
      {
        what: `alert rules: ${TAGS > 0 ? `${TAGS} rules by tag of ${RULES.toLocaleString('en')} checks` : `${RULES.toLocaleString('en')} rules`}, ${CHECKS.toLocaleString('en')} checks, ${rate} results/s`,
        figure: `alerts after p50 ${p50 ?? ''} ms, p99 ${p99 ?? ''} ms, max ${most ?? ''} ms (${lags.length}); ${memory.toFixed(0)} MiB, event loop p99 ${eventLoop.toFixed(0)} ms`,
        peer: `read model lag p99 ${percentile(folded, 0.99).toFixed(0)} ms`,
        aim: '< 2,000 ms',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
