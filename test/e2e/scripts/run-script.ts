import { findScriptPrograms } from '../../../runners/script/programs.ts';
import { whyNoSandbox } from '../../../runners/script/sandbox/why-no-sandbox.ts';
import { runByProbe } from './probed.ts';
import type { RunScript } from './script-run.ts';

/** Why scripts can't be run here, as a specification says it. */
export const whyNoScripts = async (): Promise<string[]> => {
  const { chromium } = await findScriptPrograms({ chromium: null });
  return [await whyNoSandbox(), chromium === null ? 'chromium is not installed' : null].filter((why) => why !== null);
};

/** Runs a script as a check does. */
export const runScript: RunScript = runByProbe;
