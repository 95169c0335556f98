import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { createTargetPolicy } from '../../../../domain/target/policy.ts';
import { parsePorts } from '../../../../domain/target/ports.ts';
import { systemClock } from '../../../../network/clock.ts';
import type { Resolve } from '../../../../network/resolve.ts';
import type { Outcome, RunnableCheck } from '../../../../probes/engine/check-type.ts';
import { findScriptPrograms } from '../../../../probes/script/programs.ts';
import type { ScriptKind } from '../../../../probes/script/protocol.ts';
import { openScripts, type Scripts } from '../../../../probes/script/scripts.ts';
import { contextOf, resolveIn } from '../../run-context.ts';
import { findLeftovers, type SandboxLeftovers } from '../sandbox/leftovers.ts';
import { suiteOfSandboxes } from '../sandbox/open-sandboxes.ts';
import {
  DATA_SECRET,
  INNER_SECRET,
  OTHERS_SECRET,
  SERVICE_SECRET,
  type HostileScript,
  type Ran,
} from './hostile-script.ts';
import { openHostileTargets, type HostileTargets } from './targets.ts';

/** Timeout of a script that ends on its own, in seconds. It is long, because test machines are busy. */
const ENOUGH = 30;
/** Maximum size of `check_metadata`, in bytes. */
const MOST_METADATA = 262_144;

/** Runs scripts as the service does, except that host names are resolved with a table. */
export interface HostileRuns {
  scripts: Scripts;
  places: HostileTargets;
  run: (entry: Runnable, signal?: AbortSignal) => Promise<Ran>;
  /** Stops everything, and asserts that nothing is left. */
  close: () => Promise<void>;
}

type Runnable = Pick<HostileScript, 'type' | 'script'> & Partial<HostileScript>;

export const openHostileRuns = async (kinds: readonly ScriptKind[], atOnce = 2): Promise<HostileRuns> => {
  process.env['SECRETS_KEY'] = SERVICE_SECRET;
  const before = counted(findLeftovers());
  const places = await openHostileTargets();
  // Only 127.0.0.1 is allowed, except the ports of the service's own servers.
  const policy = createTargetPolicy({
    policy: 'public',
    allow: '127.0.0.1',
    reserved: [places.database, places.service].map((place) => ({
      address: '127.0.0.1',
      port: Number(place.slice(place.indexOf(':') + 1)),
    })),
  });
  const resolve = names();
  const scripts = await openScripts({
    settings: {
      ...(await findScriptPrograms({ chromium: null })),
      sandbox: 'on',
      atOnce: Object.fromEntries(kinds.map((kind) => [kind, atOnce])),
      ports: parsePorts('80,443,1024-65535'),
    },
    policy,
    resolve,
    clock: systemClock,
  });
  const staging = mkdtempSync(join(tmpdir(), 'uptrail-hostile-files-'));

  const outcomeOf = async (
    type: ScriptKind,
    check: Partial<RunnableCheck>,
    signal = new AbortController().signal,
  ): Promise<Outcome> => {
    const run = scripts.runs.get(type);
    if (!run) throw new Error(`Scripts of type ${type} do not run here.`);
    return run(
      { type, url: null, host: null, port: null, timeout: ENOUGH, parameters: {}, secrets: {}, ...check },
      { ...contextOf({ signal, resolve }), policy, staging },
    );
  };

  return {
    scripts,
    places,
    run: async ({ type, script, timeout = ENOUGH, secrets = {}, parameters = {}, beside }, signal) => {
      const text = typeof script === 'string' ? script : script(places);
      const [outcome, other] = await Promise.all([
        outcomeOf(type, { parameters: { ...parameters, pw_script: text }, timeout, secrets }, signal),
        beside === undefined
          ? null
          : outcomeOf(type, { parameters: { pw_script: beside }, secrets: { OTHERS: OTHERS_SECRET } }),
      ]);
      const ran = ranOf(outcome, other, staging);
      // The receiver of an outcome must remove the staged files that the outcome names.
      const files = [outcome, other].flatMap((one) => one?.files ?? []).map(({ staged }) => staged);
      assert.equal(readdirSync(staging).sort(), files.sort());
      for (const file of files) rmSync(join(staging, file));
      return ran;
    },
    close: async () => {
      await scripts.stop();
      await places.close();
      assert.equal(readdirSync(staging), []);
      rmSync(staging, { recursive: true });
      assert.equal(counted(findLeftovers()), before);
    },
  };
};

const counted = ({
  processes,
  mounts,
  folders,
  groups,
  sockets,
}: SandboxLeftovers): Omit<SandboxLeftovers, 'namespaces'> => ({
  processes,
  mounts,
  folders,
  groups,
  sockets,
});

/** Returns a resolver with a table of names. `rebinding.test` resolves alternately to two addresses. */
const names = (): Resolve => {
  const table = resolveIn({
    'metadata.test': ['169.254.169.254'],
    'private.test': ['10.0.0.1', '192.168.0.1', 'fd00::1'],
    'page.test': ['127.0.0.1'],
    'database.test': ['127.0.0.1'],
    localhost: ['127.0.0.1', '::1'],
  });
  let requested = 0;
  return async (host) => {
    if (host !== 'rebinding.test') return table(host);
    requested += 1;
    return [{ address: requested % 2 === 1 ? '127.0.0.1' : '127.0.0.9', family: 4 }];
  };
};

const ranOf = (outcome: Outcome, beside: Outcome | null, staging: string): Ran => {
  const logs = (outcome.check_metadata['logs'] as { message: string }[]).map(({ message }) => message);
  const texts = (outcome.files ?? [])
    .filter(({ role }) => role === 'log')
    .map(({ staged }) => readFileSync(join(staging, staged), 'utf8'));
  return {
    outcome,
    logs,
    found: logs
      .filter((message) => message.startsWith('found '))
      .map((message): unknown => JSON.parse(message.slice('found '.length))),
    message: outcome.error_message ?? '',
    text: [JSON.stringify(outcome), ...texts].join('\n'),
    beside: beside ?? outcome,
  };
};

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;

/** Asserts what must be true after every script, whatever the script tries. */
const holdAlways = (ran: Ran, places: HostileTargets): void => {
  for (const secret of [SERVICE_SECRET, DATA_SECRET, OTHERS_SECRET, INNER_SECRET]) {
    assert.not.ok(ran.text.includes(secret), `It has ${secret}.`);
    assert.not.ok(places.received().includes(secret), `It has sent ${secret}.`);
  }
  assert.is(places.reached(), 0, 'It has reached what is not its own.');
  assert.ok(Buffer.byteLength(JSON.stringify(ran.outcome.check_metadata)) <= MOST_METADATA);
  assert.not.match(ran.text, CONTROLS);
  assert.is(({} as Record<string, unknown>)['polluted'], undefined);
};

/** Runs each script separately, and checks its expectation. At the end, asserts that nothing is left. */
export const checkHostileScripts = async (
  name: string,
  entries: readonly HostileScript[],
  more?: (test: Test | Test['skip'], runs: () => HostileRuns) => void,
): Promise<void> => {
  const { tests, test, possible } = await suiteOfSandboxes(`hostile scripts: ${name}`);
  const kinds = [...new Set(entries.map(({ type }) => type))];
  const lacksBrowser = kinds.includes('synthetic') && (await findScriptPrograms({ chromium: null })).chromium === null;
  if (lacksBrowser) console.log('skipped: chromium is not installed');
  const hold = lacksBrowser ? tests.skip.bind(tests) : test;
  let opened: HostileRuns | null = null;
  const runs = (): HostileRuns => {
    if (!opened) throw new Error('Nothing is open.');
    return opened;
  };
  if (possible && !lacksBrowser)
    tests.before(async () => {
      opened = await openHostileRuns(kinds);
    });
  for (const entry of entries)
    hold(entry.title, async () => {
      const { run, places } = runs();
      const ran = await run(entry);
      try {
        holdAlways(ran, places);
        entry.expectation(ran, places);
      } catch (error) {
        const logs = ran.logs.slice(0, 20).join('\n').slice(0, 3_000);
        console.error(`${entry.title}: ${ran.outcome.status} ${ran.message}\n${logs}`);
        throw error;
      }
    });
  more?.(hold, runs);
  hold('hostile scripts leave no process, mount, file, socket or cgroup', async () => {
    await runs().close();
  });
  tests.run();
};
