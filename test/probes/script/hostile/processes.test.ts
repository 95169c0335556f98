// Own process: it sets SECRETS_KEY, as the service has it.
import { holdScripts } from './hostile-runs.ts';
import { PROCESSES } from './scripts/processes.ts';

await holdScripts('processes', PROCESSES);
