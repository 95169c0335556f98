import type { CheckTypeName } from '../domain/check/events.ts';
import type { Run } from './engine/check-type.ts';
import { lazyRun } from './engine/lazy-run.ts';
import type { ScriptKind } from './script/protocol.ts';
import { maskedRun } from './engine/masked-run.ts';
import { runTcp } from './tcp/run.ts';
import { runWeb } from './web/run.ts';

/**
 * The runs of all check types that need no script. A check type consists of a descriptor in domain/check/types/, a
 * folder here (`web/` is the example to follow), and a line below. Probe processes load this file, so it must not load
 * the descriptors: their schemas would take a fifth of a process's memory. For the same reason, a type that needs
 * packages of its own uses `lazyRun`, which loads them at the first run.
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

/**
 * The runs of all check types that need no script, wrapped so that no outcome contains the value of a secret that its
 * check is bound to.
 */
export const RUNS: ReadonlyMap<CheckTypeName, Run> = new Map([...runs].map(([type, run]) => [type, maskedRun(run)]));

/** The check types that run a script, in a separate process (script/scripts.ts). */
export const SCRIPT_TYPES: readonly ScriptKind[] = ['multistep', 'synthetic'];

/** The names of all check types. */
export const TYPES: readonly CheckTypeName[] = [...RUNS.keys(), ...SCRIPT_TYPES];
