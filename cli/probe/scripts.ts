import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { systemClock } from '../../network/clock.ts';
import { createPolicy } from '../../network/policy.ts';
import { systemResolve } from '../../network/resolve.ts';
import type { Outcome, RunnableCheck } from '../../probes/engine/check-type.ts';
import { createRunCache } from '../../probes/engine/run-cache.ts';
import { findScriptPrograms } from '../../probes/script/programs.ts';
import type { ScriptKind } from '../../probes/script/protocol.ts';
import { openScripts } from '../../probes/script/scripts.ts';
import { findAvailableTypes, unavailableSentence } from '../../probes/tools.ts';
import type { Config } from '../../service/config/config.ts';
import { registriesOf } from '../../service/config/registries.ts';
import { targetRulesOf } from '../../service/config/target-policy.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { reservedNow } from '../../service/reserved-endpoints.ts';
import { scriptRights, scriptSettingsOf } from '../../service/run/script-processes.ts';

/** Reads the text of a script. @throws OperatorError */
export const scriptIn = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`Cannot read the script: ${(error as Error).message}.`);
  }
};

export interface ScriptProbe {
  outcome: Outcome;
  /** paths of the files that the run wrote */
  files: string[];
}

/**
 * Runs a script once, as a check would, and stores its files in a new folder.
 *
 * @throws OperatorError scripts cannot run on this machine
 */
export const probeScript = async (
  config: Config,
  kind: ScriptKind,
  check: RunnableCheck,
  signal: AbortSignal,
): Promise<ScriptProbe> => {
  const programs = await findScriptPrograms({ chromium: config.playwrightChromium });
  const { unavailable } = await findAvailableTypes([kind], { rights: scriptRights(config, programs) });
  if (unavailable.length > 0) throw new OperatorError(unavailable.map(unavailableSentence).join(' '));
  const policy = createPolicy(targetRulesOf(config), await reservedNow(config));
  const scripts = await openScripts({
    settings: { ...scriptSettingsOf(kind, config, programs), atOnce: { [kind]: 1 } },
    policy,
    resolve: systemResolve,
    clock: systemClock,
  });
  const staging = await mkdtemp(join(tmpdir(), 'uptrail-probe-'));
  try {
    const run = scripts.runs.get(kind);
    if (!run) throw new OperatorError(`The type "${kind}" does not exist or cannot be run.`);
    const outcome = await run(check, {
      clock: systemClock,
      resolve: systemResolve,
      policy,
      memory: createRunCache(systemClock),
      fresh: true,
      registries: registriesOf(config),
      signal,
      staging,
    });
    return { outcome, files: await named(staging, outcome) };
  } finally {
    await scripts.stop();
  }
};

/** Gives the files their final names. Removes the folder if it is empty. */
const named = async (folder: string, { files = [] }: Outcome): Promise<string[]> => {
  const paths: string[] = [];
  const taken = new Set<string>();
  for (const { name, staged } of files) {
    const plain = basename(name).replace(/[^\p{L}\p{N}._ -]+/gu, '_') || 'file';
    const extension = extname(plain);
    let own = plain;
    for (let count = 2; taken.has(own); count++)
      own = `${plain.slice(0, plain.length - extension.length)}-${count}${extension}`;
    taken.add(own);
    await rename(join(folder, staged), join(folder, own));
    paths.push(join(folder, own));
  }
  if (paths.length === 0) await rm(folder, { recursive: true, force: true });
  return paths;
};
