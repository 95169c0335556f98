// Own process: this file sets SECRETS_KEY, as in the environment of the service.
import { checkHostileScripts } from './hostile-runs.ts';
import { SECRETS } from './scripts/secrets.ts';

await checkHostileScripts('secrets', SECRETS);
