import { words } from '../shell/language.ts';

export { ROLE_NAMES, type RoleName } from './roles.ts';

/** Returns the translated name of a role. An unknown role is returned unchanged. */
export const roleText = (role: string): string => (words.value.shell.roles as Record<string, string>)[role] ?? role;
