// Own process: it sets SECRETS_KEY, as the service has it.
import { checkHostileScripts } from './hostile-runs.ts';
import { SECRETS } from './scripts/secrets.ts';

await checkHostileScripts('secrets', SECRETS);
