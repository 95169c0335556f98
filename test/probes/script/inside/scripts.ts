import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'uvu';
import type { TargetPolicy } from '../../../../domain/target/policy.ts';
import { systemClock } from '../../../../network/clock.ts';
import { findScriptPrograms } from '../../../../probes/script/programs.ts';
import type { BeginMessage, ScriptKind } from '../../../../probes/script/protocol.ts';
import { startProxy, type Proxy } from '../../../../probes/script/proxy/proxy.ts';
import { readRun, type Remark } from '../../../../probes/script/reading/read-run.ts';
import type { RecordedStep, RunRecord } from '../../../../probes/script/record.ts';
import { createSandboxes } from '../../../../probes/script/sandbox/sandboxes.ts';
import { inProject, PROJECT } from '../../../project.ts';

/** Scripts can reach only this machine, whatever they request. */
const THIS_MACHINE: TargetPolicy = {
  refusal: (address) => (address.startsWith('127.') ? null : 'of another machine'),
  reservedPorts: () => [],
};
const LOOPBACK = { address: '127.0.0.1', family: 4 } as const;

interface NotedProxy extends Proxy {
  listen: (listen: (remark: Remark) => void) => void;
}

export interface ScriptRuns {
  /** Runs a script as a check does. */
  run: (kind: ScriptKind, script: string, begin?: Partial<BeginMessage>) => Promise<RunRecord>;
  /** Returns how many connections were attempted through all proxies. */
  connections: () => number;
  /** Returns the hosts that were requested from all proxies, in order. */
  hosts: () => string[];
}

/** Names with this ending have no address. */
export const UNKNOWN_NAMES = '.nowhere.test';

/**
 * Runs scripts with the real program and the real proxy, for all tests of a suite.
 *
 * @param mode whether the program runs in a sandbox
 */
export const scriptRuns = async (
  tests: Test,
  extraCertificates: string | null = null,
  mode: 'sandbox' | 'off' = 'off',
): Promise<ScriptRuns> => {
  const programs = await findScriptPrograms({ chromium: null });
  const folder = await mkdtemp(join(tmpdir(), 'script-runs-'));
  const proxies: Proxy[] = [];
  const hosts: string[] = [];
  const amount = { warm: 0, most: 4 };
  const sandboxes = await createSandboxes<NotedProxy>({
    mode,
    sources: { ...programs, main: mainFile(), modules: PROJECT, extraCertificates },
    kinds: { multistep: amount, synthetic: amount },
    clock: systemClock,
    proxyFor: async (socketPath) => {
      const noted: Remark[] = [];
      let hear = (remark: Remark): void => void noted.push(remark);
      const proxy = await startProxy({
        socketPath,
        owner: null,
        resolve: (host) => {
          hosts.push(host);
          if (host.endsWith(UNKNOWN_NAMES)) return Promise.reject(new Error(`${host} has no address.`));
          return Promise.resolve(isIP(host) === 0 ? [LOOPBACK] : [{ address: host, family: 4 }]);
        },
        policy: THIS_MACHINE,
        ports: [[1, 65_535]],
        clock: systemClock,
        onNote: (note) => {
          hear(note);
        },
      });
      proxies.push(proxy);
      return {
        ...proxy,
        listen: (listen) => {
          noted.splice(0).forEach(listen);
          hear = listen;
        },
      };
    },
  });
  tests.after(async () => {
    await sandboxes.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    hosts: () => [...hosts],
    connections: () => proxies.reduce((sum, proxy) => sum + proxy.connections(), 0),
    run: async (kind, script, begin = {}) => {
      const sandbox = await sandboxes.take(kind, AbortSignal.timeout(60_000));
      return readRun(
        sandbox,
        { type: 'begin', script, environment: {}, timeout: 30_000, recordVideo: false, url: null, ...begin },
        { folder, clock: systemClock, signal: new AbortController().signal, remarks: sandbox.proxy.listen },
      );
    },
  };
};

const mainFile = (): string => {
  const main = inProject('dist/probes/script/inside/main.cjs');
  if (!existsSync(main)) throw new Error('There is no dist/: npm test builds it, and so does npm run build.');
  return main;
};

/**
 * Returns a script that declares tests with the same body in every possible way. Each test must get the fixtures of a
 * check.
 */
export const testsOfOwn = (ways: 'extend' | 'only', body: string): string => `
  import base, { test, mergeTests } from '@playwright/test';
  const required = require('@playwright/test');
  const ways = {
    extend: [test, base, required].map((one) => one.extend({})).concat(
      test.extend({ a: 1 }).extend({ b: 2 }),
      mergeTests(test, base.extend({ c: 3 }))),
    only: [test.only, base.only, required.only],
  };
  ways.${ways}.forEach((mine, number) => mine(String(number), ${body}));
`;

/** Returns the names of steps as an indented tree. A failed step is marked, such as `a (failed)`. */
export const treeOf = (steps: readonly RecordedStep[], depth = 0): string[] =>
  steps.flatMap((step) => [
    `${'  '.repeat(depth)}${step.name}${step.error ? ' (failed)' : step.duration === null ? ' (under way)' : ''}`,
    ...treeOf(step.steps, depth + 1),
  ]);

/**
 * Tries a test up to three times. Used for tests of the final moments of a script, which are short and sensitive to
 * load.
 */
export const inTime = (attempt: () => Promise<void>) => async (): Promise<void> => {
  for (let left = 2; ; left -= 1) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
};
