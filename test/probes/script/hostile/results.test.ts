// Own process: it sets SECRETS_KEY, as the service has it.
import { checkHostileScripts } from './hostile-runs.ts';
import { RESULTS } from './scripts/results.ts';

await checkHostileScripts('its own results', RESULTS);
