import { runByPlaywright } from './plain-playwright.ts';
import type { RunScript } from './script-run.ts';

/** Runs a script as a check would. */
export const runScript: RunScript = runByPlaywright;
