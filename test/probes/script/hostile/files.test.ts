// Own process: it sets SECRETS_KEY, as the service has it.
import { holdScripts } from './hostile-runs.ts';
import { FILES } from './scripts/files.ts';

await holdScripts('what is on the machine', FILES);
