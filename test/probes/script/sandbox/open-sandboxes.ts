import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { suite, type Test } from 'uvu';
import { systemClock } from '../../../../network/clock.ts';
import type { BeginMessage, ScriptKind } from '../../../../probes/script/protocol.ts';
import { createSandboxes, type Sandboxes, type SandboxesOptions } from '../../../../probes/script/sandbox/sandboxes.ts';
import type { Sandbox } from '../../../../probes/script/sandbox/sandbox.ts';
import { whyNoSandbox } from '../../../../probes/script/sandbox/why-no-sandbox.ts';
import { inProject, PROJECT } from '../../../project.ts';

/** A proxy that only counts connections. */
export interface CountingProxy {
  connections: () => number;
  path: string;
  close: () => Promise<void>;
}

export const countingProxy = async (path: string): Promise<CountingProxy> => {
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined).end('proxy');
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    connections: () => connections,
    path,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
};

/** The program inside the sandbox, which runs any script. */
export const MAIN = inProject('test/probes/script/sandbox/inside/main.cjs');

export { PROJECT as ROOT };

/** Opens sandboxes with a program that runs any script, without Playwright. */
export const openTestSandboxes = (
  options: Partial<SandboxesOptions<CountingProxy>> = {},
): Promise<Sandboxes<CountingProxy>> =>
  createSandboxes({
    mode: 'sandbox',
    sources: {
      main: MAIN,
      modules: PROJECT,
      chromium: null,
      ffmpeg: null,
      extraCertificates: null,
    },
    kinds: { multistep: { warm: 0, most: 4 } },
    proxyFor: countingProxy,
    clock: systemClock,
    ...options,
  });

export const begin = (script: string): BeginMessage => ({
  type: 'begin',
  script,
  environment: {},
  timeout: 30_000,
  recordVideo: false,
  url: null,
});

/** The result of a script: its return value, or the error that it threw. */
export type ScriptAnswer =
  { type: 'returned'; value: unknown } | { type: 'threw'; code: string | null; message: string };

/** Runs a script in a sandbox. @returns its result; null if the sandbox ended without one */
export const answerOf = async (sandbox: Sandbox<CountingProxy>, script: string): Promise<ScriptAnswer | null> => {
  sandbox.begin(begin(script));
  for (;;) {
    const next = await sandbox.frames.next();
    if (next.done === true) return null;
    const message = next.value.kind === 'message' ? (next.value.message as ScriptAnswer) : null;
    if (message?.type === 'returned' || message?.type === 'threw') return message;
  }
};

/** Runs a script in a new sandbox, and ends the sandbox. @returns its result */
export const run = async (
  sandboxes: Sandboxes<CountingProxy>,
  script: string,
  kind: ScriptKind = 'multistep',
): Promise<ScriptAnswer | null> => {
  const sandbox = await sandboxes.take(kind, AbortSignal.timeout(60_000));
  sandbox.stdout.resume();
  sandbox.stderr.resume();
  try {
    return await answerOf(sandbox, script);
  } finally {
    await sandbox.end();
  }
};

/**
 * Creates a suite whose tests need sandboxes. If no sandbox can be created, skips the tests and prints a line that is
 * counted as a skipped test.
 */
export const suiteOfSandboxes = async (
  name: string,
): Promise<{ tests: Test; test: Test | Test['skip']; possible: boolean }> => {
  const tests = suite(name);
  const sentence = await whyNoSandbox();
  if (sentence !== null) console.log(`skipped: ${sentence}`);
  return { tests, test: sentence === null ? tests : tests.skip.bind(tests), possible: sentence === null };
};

/** Opens sandboxes for all tests of a suite, and stops them after the suite. */
export const sandboxesOf = async (
  { tests, possible }: { tests: Test; possible: boolean },
  options: Partial<SandboxesOptions<CountingProxy>> = {},
): Promise<Sandboxes<CountingProxy>> => {
  if (!possible) return undefined as unknown as Sandboxes<CountingProxy>;
  const sandboxes = await openTestSandboxes(options);
  tests.after(() => sandboxes.stop());
  return sandboxes;
};

/** Returns the return value of a script. @throws Error if the script did not return */
export const returned = (answer: ScriptAnswer | null): unknown => {
  if (answer?.type !== 'returned') throw new Error(`It returned nothing: ${JSON.stringify(answer)}`);
  return answer.value;
};
