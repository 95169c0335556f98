/** This file is the entry point of a process that runs scripts of checks (probes/script/). */
import { serveProbes } from './serve.ts';
import { openScripts } from '../../probes/script/scripts.ts';

serveProbes(async ({ scripts: settings }, context) => {
  if (!settings) throw new Error('The settings of scripts are missing.');
  return openScripts({
    settings,
    ...context,
    cannotStart: (cause) => process.stderr.write(`A sandbox could not be started: ${cause}\n`),
  });
});
