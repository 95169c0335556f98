// Own process: this file sets SECRETS_KEY, as in the environment of the service.
import { checkHostileScripts } from './hostile-runs.ts';
import { PROCESSES } from './scripts/processes.ts';

await checkHostileScripts('processes', PROCESSES);
