// Own process: it sets SECRETS_KEY, as the service has it.
import { holdScripts } from './hostile-runs.ts';
import { RESULTS } from './scripts/results.ts';

await holdScripts('its own results', RESULTS);
