import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PortRange } from '../../domain/target/ports.ts';
import type { ScriptKind } from './protocol.ts';
import type { ScriptPrograms } from './programs.ts';

/** How scripts run in a process, from its environment. */
export interface ScriptSettings extends ScriptPrograms {
  /** `off`: without a sandbox, if the operator has chosen so */
  sandbox: 'on' | 'off';
  /** the kinds to run, and how many of each concurrently */
  atOnce: Partial<Record<ScriptKind, number>>;
  /** ports that scripts may connect to */
  ports: readonly PortRange[];
}

/** The program that runs inside a sandbox. */
export const insideMain = (): string => fileURLToPath(new URL('./inside/main.cjs', import.meta.url));

/** The folder whose `node_modules` contains the packages that scripts may import. */
export const modulesFolder = (): string => {
  const file = createRequire(import.meta.url).resolve('@playwright/test/package.json');
  return dirname(file.slice(0, file.lastIndexOf(`${sep}node_modules${sep}`) + sep.length + 'node_modules'.length));
};
