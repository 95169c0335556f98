// Own process: it sets SECRETS_KEY, as the service has it.
import { holdScripts } from './hostile-runs.ts';
import { SECRETS } from './scripts/secrets.ts';

await holdScripts('secrets', SECRETS);
