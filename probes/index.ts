import type { CheckTypeName } from '../domain/check/events.ts';
import type { Run } from './engine/check-type.ts';
import { lazyRun } from './engine/lazy-run.ts';
import type { ScriptKind } from './script/protocol.ts';
import { maskedRun } from './engine/masked-run.ts';
import { runTcp } from './tcp/run.ts';
import { runWeb } from './web/run.ts';

/**
 * The check types that this release can run, with their runs. A type consists of a descriptor in domain/check/types/, a
 * folder here (`web/` is the example to follow), and a line below. Probe processes load this file, so nothing here may
 * load the descriptors: their schemas would take a fifth of a process's memory. For the same reason, a type that needs
 * packages of its own is loaded by its first run: `['ssl', lazily(async () => (await import('./ssl/run.ts')).runSsl)]`.
 */
const runs: ReadonlyMap<CheckTypeName, Run> = new Map<CheckTypeName, Run>([
  ['web', runWeb],
  ['api', runWeb],
  ['tcp', runTcp],
  ['ssl', lazyRun(async () => (await import('./ssl/run.ts')).runSsl)],
  ['dns', lazyRun(async () => (await import('./dns/run.ts')).runDns)],
  ['icmp', lazyRun(async () => (await import('./icmp/run.ts')).runIcmp)],
  ['portscan', lazyRun(async () => (await import('./portscan/run.ts')).runPortscan)],
]);

/** All runs, wrapped so that no outcome contains a secret that its check is bound to. */
export const RUNS: ReadonlyMap<CheckTypeName, Run> = new Map([...runs].map(([type, run]) => [type, maskedRun(run)]));

/** The types that run scripts, in their own processes (script/scripts.ts). */
export const SCRIPT_TYPES: readonly ScriptKind[] = ['multistep', 'synthetic'];

/** The names of all types. */
export const TYPES: readonly CheckTypeName[] = [...RUNS.keys(), ...SCRIPT_TYPES];
