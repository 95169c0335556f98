import type { CheckTypeName } from '../domain/check/events.ts';
import type { Run } from './probe/check-type.ts';
import { runTcp } from './tcp/run.ts';
import { runWeb } from './web/run.ts';

/**
 * How each type of check is run, without what else there is to know of it: probe processes need no schemas,
 * which would take a fifth of their memory.
 */
export const RUNS: Readonly<Partial<Record<CheckTypeName, Run>>> = { web: runWeb, api: runWeb, tcp: runTcp };
