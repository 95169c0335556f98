// Own process: this file sets SECRETS_KEY, as in the environment of the service.
import { checkHostileScripts } from './hostile-runs.ts';
import { FILES } from './scripts/files.ts';

await checkHostileScripts('files of the machine', FILES);
