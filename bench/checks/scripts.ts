/**
 * Measures scripts of checks, each in its own sandbox that was started in advance, as in the service. Compares them, in
 * alternating rounds, with the same script in `playwright test`, which has neither sandbox nor proxy. results-size.ts
 * measures the disk space of script results.
 */
import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { systemClock } from '../../network/clock.ts';
import type { Outcome } from '../../probes/engine/check-type.ts';
import type { ScriptKind } from '../../probes/script/protocol.ts';
import { findScriptPrograms } from '../../probes/script/programs.ts';
import { openStaging } from '../../probes/staging.ts';
import { readConfig } from '../../service/config/config.ts';
import { launchScripts, scriptConcurrency, startScripts } from '../../service/run/script-processes.ts';
import { runByPlaywright } from '../../test/e2e/scripts/plain-playwright.ts';
import { whyNoScripts } from '../../test/e2e/scripts/sandboxed.ts';
import { startShop } from '../../test/e2e/scripts/shop.ts';
import { NEVER_RESERVED } from '../../test/network/nothing-reserved.ts';
import { peakBelow } from '../tools/memory.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, type Row } from '../tools/table.ts';
import { childrenOf } from '../tools/usage.ts';
import { MINUTE_MS } from '../../domain/time.ts';

/** Number of single runs of each kind. */
const RUNS = sizeOf('SCRIPTS', 10);
/** Milliseconds until the sandbox that replaces a used one has been started. */
const REST_MS = sizeOf('SCRIPT_REST_SECONDS', 6) * 1_000;
/** Milliseconds for which runs are repeated at full concurrency. */
const BUSY_MS = sizeOf('SCRIPT_SECONDS', 60) * 1_000;
/** Timeout of a run in seconds. */
const TIMEOUT = 30;

interface Kind {
  kind: ScriptKind;
  what: string;
  script: string;
  aim: string;
}

const KINDS: readonly Kind[] = [
  {
    kind: 'multistep',
    what: 'multistep run with one request',
    aim: '< 400 ms',
    script: `import { test, expect } from '@playwright/test';
      test('the shop answers', async ({ request }) => {
        expect((await request.get('/')).status()).toBe(200);
      });`,
  },
  {
    kind: 'synthetic',
    what: 'synthetic run of a small page',
    aim: '< 1,500 ms',
    script: `import { test, expect } from '@playwright/test';
      test('the shop opens', async ({ page }) => {
        await page.goto('/');
        await expect(page).toHaveTitle(/Loopback Shop/);
      });`,
  },
];

/** One way to run a script. */
interface Contender {
  run: () => Promise<unknown>;
  /** number of concurrent runs at full load */
  atOnce: number;
  /** returns the process whose child processes are the runs, and child processes to ignore */
  parent: () => { pid: number; but: readonly number[] };
}

const timed = async (run: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await run();
  return performance.now() - from;
};

/** Returns the number of runs per minute at full concurrency. */
const perMinute = async ({ run, atOnce }: Contender): Promise<number> => {
  const from = performance.now();
  let ended = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() - from < BUSY_MS) {
        await run();
        ended += 1;
      }
    }),
  );
  return (ended / (performance.now() - from)) * MINUTE_MS;
};

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1_048_576).toLocaleString('en')} MiB`;
const milliseconds = (time: number): string => `${Math.round(time).toLocaleString('en')} ms`;

const compared = async ({ what, aim }: Kind, ours: Contender, plain: Contender): Promise<Row[]> => {
  const both = [ours, plain] as const;
  // The first runs are a warm-up.
  for (const { run } of both) await run();
  const times: [number, number][] = [];
  for (let round = 0; round < RUNS; round++) {
    await sleep(REST_MS);
    times.push([await timed(ours.run), await timed(plain.run)]);
  }
  const rates = [await perMinute(ours), await perMinute(plain)] as const;
  await sleep(REST_MS);
  const peaks: number[] = [];
  for (const { run, parent } of both) {
    const { pid, but } = parent();
    peaks.push(await peakBelow(pid, but, run));
  }
  const [time, timePlain] = [median(times.map(([one]) => one)), median(times.map(([, other]) => other))];
  const [peak = 0, peakPlain = 0] = peaks;
  const peer = 'plain playwright test';
  return [
    {
      what,
      figure: milliseconds(time),
      peer: `${peer} ${milliseconds(timePlain)}`,
      ratio: median(times.map(([one, other]) => other / one)),
      aim,
    },
    {
      what: `… per minute on ${availableParallelism()} cores, ${ours.atOnce} concurrent`,
      figure: rates[0].toFixed(0),
      peer: `${peer} ${rates[1].toFixed(0)}`,
      ratio: rates[0] / rates[1],
    },
    {
      what: '… peak memory of a run',
      figure: mebibytes(peak),
      peer: `${peer} ${mebibytes(peakPlain)}`,
      ratio: peakPlain / peak,
    },
  ];
};

export const bench = async (): Promise<Row[]> => {
  const missing = await whyNoScripts();
  if (missing.length > 0) {
    for (const why of missing) console.log(`skipped: ${why}`);
    return [];
  }
  // One browser per core is optimal: a higher concurrency would not increase the rate.
  const config = readConfig({ TARGET_POLICY: 'internal', RUNNER_BROWSERS: availableParallelism().toString() });
  const programs = await findScriptPrograms({ chromium: config.playwrightChromium });
  const staging = await openStaging(systemClock);
  const shop = await startShop();
  const rows: Row[] = [];
  try {
    for (const one of KINDS) {
      const { kind, script } = one;
      const launched: ChildProcess[] = [];
      const scripts = startScripts({
        config,
        kind,
        programs,
        staging,
        launch: () => {
          const child = launchScripts();
          launched.push(child);
          return child;
        },
        reserved: NEVER_RESERVED,
        logger: pino({ level: 'silent' }),
      });
      const check = {
        type: kind,
        url: `${shop.url}/`,
        host: null,
        port: null,
        timeout: TIMEOUT,
        parameters: { pw_script: script },
        secrets: {},
      };
      const run = async (): Promise<Outcome> => {
        const signal = new AbortController().signal;
        const outcome = await scripts.run(check, { signal, fresh: true, about: 'a benchmark' });
        if (outcome.status !== 'ok') throw new Error(outcome.error_message ?? 'The script did not pass.');
        return outcome;
      };
      const runPlain = async (): Promise<void> => {
        const { error_message } = await runByPlaywright(kind, script, { url: `${shop.url}/` });
        if (error_message !== null) throw new Error(error_message);
      };
      try {
        rows.push(
          ...(await compared(
            one,
            {
              run,
              atOnce: scriptConcurrency(kind, config),
              parent: () => ({ pid: launched.at(-1)?.pid ?? 0, but: [] }),
            },
            {
              run: runPlain,
              atOnce: availableParallelism(),
              parent: () => ({ pid: process.pid, but: childrenOf(process.pid) }),
            },
          )),
        );
      } finally {
        await scripts.stop();
      }
    }
    return rows;
  } finally {
    await staging.close();
    await shop.close();
  }
};
