import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { CheckTypeName } from '../domain/check/events.ts';
import { checkTypeOf } from '../domain/check/types/index.ts';
import { whyNoIcmp } from './icmp/rights.ts';

/** A type that can't be run here: programs are missing, or a right. */
export interface Lacking {
  type: CheckTypeName;
  tools: string[];
  /** null: none is known to be missing */
  rights: string | null;
}

/** Which of the wanted types this machine can run. */
export interface Ability {
  types: CheckTypeName[];
  lacking: Lacking[];
}

/** Looks whether this process has the rights that a type needs: null, or a sentence that says how to give them. */
export type LookForRights = () => Promise<string | null>;

/** The types that need rights, besides their tools. */
export const RIGHTS: ReadonlyMap<CheckTypeName, LookForRights> = new Map([['icmp', whyNoIcmp]]);

/** Whether a program is found in one of some folders, as a shell would find it. */
const isIn = async (folders: readonly string[], program: string): Promise<boolean> => {
  for (const folder of folders) {
    const file = join(folder, program);
    try {
      await access(file, constants.X_OK);
      if ((await stat(file)).isFile()) return true;
    } catch {
      // It may be in the next one.
    }
  }
  return false;
};

export interface AbilityOptions {
  /** where programs are searched; the PATH of this process, which its probe processes have too */
  path?: string;
  rights?: ReadonlyMap<CheckTypeName, LookForRights>;
}

/** Checks which types can be run here: those whose tools are all installed and may do what they have to. */
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
