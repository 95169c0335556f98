// Own process: this file sets SECRETS_KEY, as in the environment of the service.
import { checkHostileScripts } from './hostile-runs.ts';
import { RESULTS } from './scripts/results.ts';

await checkHostileScripts('forged results', RESULTS);
