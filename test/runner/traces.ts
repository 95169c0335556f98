import { realPause } from '../waiting.ts';
import { forgetOrigins, originsOfOpen } from './origins.ts';

/**
 * Detects what a test file leaves behind in a shared process, such as open handles and replaced globals. Replaced
 * globals could affect other files, and an open handle could mean that a program does not exit.
 */

type Counts = Readonly<Record<string, number>>;

/** Counts the handles that keep the process alive by kind, such as `Timeout`, `TCPServerWrap` and `MessagePort`. */
const activeHandles = (): Counts => {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

/** Process events whose listeners affect how the process ends. */
const PROCESS_EVENTS = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'exit',
  'beforeExit',
  'uncaughtException',
  'unhandledRejection',
  'warning',
];

/** Objects and properties that tests replace. */
const GLOBALS: readonly (readonly [object, string])[] = [
  ...[
    'Date',
    'fetch',
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'setImmediate',
    'queueMicrotask',
  ].map((name) => [globalThis, name] as const),
  [Math, 'random'],
  [performance, 'now'],
  [process, 'exit'],
  [process, 'kill'],
  [console, 'log'],
  [console, 'error'],
];

interface Traces {
  handles: Counts;
  environment: NodeJS.ProcessEnv;
  folder: string;
  listeners: Counts;
  globals: Readonly<Record<string, unknown>>;
}

const stateNow = (): Traces => ({
  handles: activeHandles(),
  environment: { ...process.env },
  folder: process.cwd(),
  listeners: Object.fromEntries(PROCESS_EVENTS.map((event) => [event, process.listenerCount(event)])),
  globals: {
    ...Object.fromEntries(GLOBALS.map(([object, name]) => [name, Reflect.get(object, name)])),
  },
});

export const tracesNow = (): Traces => {
  forgetOrigins();
  return stateNow();
};

const more = (now: Counts, before: Counts): string[] =>
  Object.entries(now).flatMap(([kind, count]) => {
    const added = count - (before[kind] ?? 0);
    return added > 0 ? [`${added} × ${kind}`] : [];
  });

const changedEnvironment = (before: NodeJS.ProcessEnv): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(process.env)])].filter(
    (name) => before[name] !== process.env[name],
  );

/** Returns the addresses of open sockets and servers, which help to find one that was left open. */
const addresses = (): string[] => {
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles?: () => unknown[] };
  return (handles?.call(process) ?? []).flatMap((handle) => {
    const { constructor, localPort, remotePort, address } = handle as {
      constructor: { name: string };
      localPort?: number;
      remotePort?: number;
      address?: () => unknown;
    };
    if (localPort !== undefined) return [`${constructor.name} ${String(localPort)} → ${String(remotePort)}`];
    if (constructor.name === 'Server') return [`Server ${JSON.stringify(address?.call(handle))}`];
    return [];
  });
};

/** Maximum time in milliseconds for handles to close, such as sockets whose peer has just ended. */
const CLOSING_MS = 5_000;

/**
 * Waits until all new handles are closed, and then undoes any other changes since `before`.
 *
 * @returns a sentence for each thing that was left behind
 */
export const leftSince = async (before: Traces): Promise<string[]> => {
  const left: string[] = [];
  const deadline = Date.now() + CLOSING_MS;
  let handles = more(activeHandles(), before.handles);
  while (handles.length > 0 && Date.now() < deadline) {
    // The timer of the pause does not count as a handle, because it has fired when the pause ends.
    await realPause(2, 'handles close');
    handles = more(activeHandles(), before.handles);
  }
  if (handles.length > 0) {
    left.push(`Handles are still active: ${[...handles, ...addresses()].join(', ')}.`);
    left.push(...originsOfOpen().map((origin) => `\n${origin}`));
  }

  const environment = changedEnvironment(before.environment);
  if (environment.length > 0) left.push(`Environment variables have changed: ${environment.join(', ')}.`);
  for (const name of environment) {
    const value = before.environment[name];
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
  const now = stateNow();
  if (now.folder !== before.folder) {
    left.push(`The working directory is ${now.folder}.`);
    process.chdir(before.folder);
  }
  const listeners = more(now.listeners, before.listeners);
  if (listeners.length > 0) left.push(`Listeners of the process: ${listeners.join(', ')}.`);
  const globals = Object.keys(before.globals).filter((name) => now.globals[name] !== before.globals[name]);
  if (globals.length > 0) left.push(`Globals have changed: ${globals.join(', ')}.`);
  return left;
};
