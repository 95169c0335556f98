import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { CheckTypeName } from '../domain/check/events.ts';
import { checkTypeOf } from '../domain/check/types/index.ts';
import { whyNoIcmp } from './icmp/rights.ts';

/** A type that can't run here, because programs or a permission are missing. */
export interface Lacking {
  type: CheckTypeName;
  tools: string[];
  /** null: none is known to be missing */
  rights: string | null;
}

/** Which of the requested types this machine can run. */
export interface Ability {
  types: CheckTypeName[];
  lacking: Lacking[];
}

/**
 * Checks whether this process has the permissions that a type needs: returns null, or a sentence that says how to grant
 * them.
 */
export type LookForRights = () => Promise<string | null>;

/** The types that need permissions besides their tools. */
export const RIGHTS: ReadonlyMap<CheckTypeName, LookForRights> = new Map([['icmp', whyNoIcmp]]);

/** Whether one of some folders contains a program that a shell could start. */
const isIn = async (folders: readonly string[], program: string): Promise<boolean> => {
  for (const folder of folders) {
    const file = join(folder, program);
    try {
      await access(file, constants.X_OK);
      if ((await stat(file)).isFile()) return true;
    } catch {
      // The next folder may contain it.
    }
  }
  return false;
};

export interface AbilityOptions {
  /** search path for programs; default: PATH of this process, which its probe processes inherit */
  path?: string;
  rights?: ReadonlyMap<CheckTypeName, LookForRights>;
}

/** Finds the types that can run here: those whose tools are all installed and have the permissions they need. */
export const abilityHere = async (
  types: readonly CheckTypeName[],
  { path = process.env['PATH'] ?? '', rights = RIGHTS }: AbilityOptions = {},
): Promise<Ability> => {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const ability: Ability = { types: [], lacking: [] };
  for (const type of types) {
    const tools: string[] = [];
    for (const tool of checkTypeOf(type).tools) if (!(await isIn(folders, tool))) tools.push(tool);
    const missing = tools.length === 0 ? ((await rights.get(type)?.()) ?? null) : null;
    if (tools.length === 0 && missing === null) ability.types.push(type);
    else ability.lacking.push({ type, tools, rights: missing });
  }
  return ability;
};

/** `Checks of type icmp can't be run here: fping is not installed.` */
export const lackingSentence = ({ type, tools, rights }: Lacking): string => {
  const not = `Checks of type ${type} can't be run here:`;
  return rights === null
    ? `${not} ${tools.join(' and ')} ${tools.length === 1 ? 'is' : 'are'} not installed.`
    : `${not} ${rights}`;
};
