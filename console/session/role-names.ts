import { words } from '../shell/language.ts';

export { ROLE_NAMES, type RoleName } from './roles.ts';

/** Returns the name of a role; unknown roles are shown as they are. */
export const roleText = (role: string): string => (words.value.shell.roles as Record<string, string>)[role] ?? role;
