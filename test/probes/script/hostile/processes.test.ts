// Own process: it sets SECRETS_KEY, as the service has it.
import { checkHostileScripts } from './hostile-runs.ts';
import { PROCESSES } from './scripts/processes.ts';

await checkHostileScripts('processes', PROCESSES);
