// Own process: it sets SECRETS_KEY, as the service has it.
import { holdScripts } from './holding.ts';
import { SECRETS } from './scripts/secrets.ts';

await holdScripts('secrets', SECRETS);
