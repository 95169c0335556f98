import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { CheckTypeName } from '../domain/check/events.ts';
import { checkTypeOf } from '../domain/check/types/index.ts';
import { whyNoIcmp } from './icmp/rights.ts';

/** A check type that this machine can't run because programs or a permission are missing. */
export interface UnavailableType {
  type: CheckTypeName;
  tools: string[];
  /** a sentence that says how to grant the missing permission; null if no permission is known to be missing */
  rights: string | null;
}

/** The requested check types, divided into those that this machine can run and those that it can't. */
export interface AvailableTypes {
  types: CheckTypeName[];
  unavailable: UnavailableType[];
}

/**
 * Determines whether this process has the permissions that a check type needs. Returns null if it has them, and
 * otherwise a sentence that says how to grant them.
 */
export type CheckRights = () => Promise<string | null>;

/** The check types that need permissions in addition to their tools. */
export const RIGHTS_CHECKS: ReadonlyMap<CheckTypeName, CheckRights> = new Map([['icmp', whyNoIcmp]]);

/** Returns whether one of the folders contains an executable program. */
const isIn = async (folders: readonly string[], program: string): Promise<boolean> => {
  for (const folder of folders) {
    const file = join(folder, program);
    try {
      await access(file, constants.X_OK);
      if ((await stat(file)).isFile()) return true;
    } catch {
      // Continue, because the next folder may contain the program.
    }
  }
  return false;
};

export interface AbilityOptions {
  /** search path for programs; default: PATH of this process, which probe processes inherit */
  path?: string;
  rights?: ReadonlyMap<CheckTypeName, CheckRights>;
}

/** Finds the check types that this machine can run: their tools are installed, and permissions are granted. */
export const findAvailableTypes = async (
  types: readonly CheckTypeName[],
  { path = process.env['PATH'] ?? '', rights = RIGHTS_CHECKS }: AbilityOptions = {},
): Promise<AvailableTypes> => {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const ability: AvailableTypes = { types: [], unavailable: [] };
  for (const type of types) {
    const tools: string[] = [];
    for (const tool of checkTypeOf(type).tools) if (!(await isIn(folders, tool))) tools.push(tool);
    const missing = tools.length === 0 ? ((await rights.get(type)?.()) ?? null) : null;
    if (tools.length === 0 && missing === null) ability.types.push(type);
    else ability.unavailable.push({ type, tools, rights: missing });
  }
  return ability;
};

/** Returns a sentence such as `Checks of type icmp can't be run here: fping is not installed.` */
export const unavailableSentence = ({ type, tools, rights }: UnavailableType): string => {
  const not = `Checks of type ${type} can't be run here:`;
  return rights === null
    ? `${not} ${tools.join(' and ')} ${tools.length === 1 ? 'is' : 'are'} not installed.`
    : `${not} ${rights}`;
};
