// Own process: it sets SECRETS_KEY, as the service has it.
import { holdScripts } from './hostile-runs.ts';
import { RESOURCES } from './scripts/resources.ts';

await holdScripts('memory and disk', RESOURCES);
