import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PortRange } from '../../domain/target/ports.ts';
import type { ScriptKind } from './protocol.ts';
import type { ScriptPrograms } from './programs.ts';

/** How a process runs scripts, according to its environment variables. */
export interface ScriptSettings extends ScriptPrograms {
  /** `off` runs scripts without a sandbox; only operators can choose it */
  sandbox: 'on' | 'off';
  /** the kinds of scripts to run, each with the maximum number of concurrent runs */
  atOnce: Partial<Record<ScriptKind, number>>;
  /** ports that scripts may connect to */
  ports: readonly PortRange[];
}

/** Returns the path of the program that runs inside a sandbox. */
export const insideMain = (): string => fileURLToPath(new URL('./inside/main.cjs', import.meta.url));

/** Returns the folder whose `node_modules` contains the packages that scripts may import. */
export const modulesFolder = (): string => {
  const file = createRequire(import.meta.url).resolve('@playwright/test/package.json');
  return dirname(file.slice(0, file.lastIndexOf(`${sep}node_modules${sep}`) + sep.length + 'node_modules'.length));
};
