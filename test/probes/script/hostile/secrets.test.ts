// Own process: this file sets the environment variable SECRETS_KEY, which the service has too.
import { checkHostileScripts } from './hostile-runs.ts';
import { SECRETS } from './scripts/secrets.ts';

await checkHostileScripts('secrets', SECRETS);
