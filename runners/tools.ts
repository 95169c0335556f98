import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { CheckTypeName } from '../domain/check/events.ts';
import { checkTypeOf } from '../domain/check/types/index.ts';

/** A type that can't be run here, because programs are missing. */
export interface Lacking {
  type: CheckTypeName;
  tools: string[];
}

/** Which of the wanted types this machine can run. */
export interface Ability {
  types: CheckTypeName[];
  lacking: Lacking[];
}

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

/**
 * Checks which types can be run here: those whose tools are all installed.
 *
 * @param path where programs are searched; the PATH of this process, which its probe processes have too
 */
export const abilityHere = async (
  types: readonly CheckTypeName[],
  path = process.env['PATH'] ?? '',
): Promise<Ability> => {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const ability: Ability = { types: [], lacking: [] };
  for (const type of types) {
    const tools: string[] = [];
    for (const tool of checkTypeOf(type).tools) if (!(await isIn(folders, tool))) tools.push(tool);
    if (tools.length === 0) ability.types.push(type);
    else ability.lacking.push({ type, tools });
  }
  return ability;
};

/** `Checks of type icmp can't be run here: fping is not installed.` */
export const lackingSentence = ({ type, tools }: Lacking): string =>
  `Checks of type ${type} can't be run here: ${tools.join(' and ')} ${tools.length === 1 ? 'is' : 'are'} not installed.`;
