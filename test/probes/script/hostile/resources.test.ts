// Own process: this file sets SECRETS_KEY, as in the environment of the service.
import { checkHostileScripts } from './hostile-runs.ts';
import { RESOURCES } from './scripts/resources.ts';

await checkHostileScripts('memory and disk', RESOURCES);
