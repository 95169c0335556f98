import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PortRange } from '../../domain/target/ports.ts';
import type { ScriptKind } from './protocol.ts';
import type { ScriptPrograms } from './programs.ts';

/** How scripts run in a process, by its environment. */
export interface ScriptSettings extends ScriptPrograms {
  /** `off`: unprotected, for who has said so */
  sandbox: 'on' | 'off';
  /** the kinds that run, and how many of each at once */
  atOnce: Partial<Record<ScriptKind, number>>;
  /** ports that they may connect to */
  ports: readonly PortRange[];
}

/** The program that runs inside a sandbox. */
export const insideMain = (): string => fileURLToPath(new URL('./inside/main.cjs', import.meta.url));

/** The folder whose `node_modules` has what scripts may import. */
export const modulesFolder = (): string => {
  const file = createRequire(import.meta.url).resolve('@playwright/test/package.json');
  return dirname(file.slice(0, file.lastIndexOf(`${sep}node_modules${sep}`) + sep.length + 'node_modules'.length));
};
