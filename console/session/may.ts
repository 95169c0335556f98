import { user } from './session.ts';
import { WRITING_ROLES } from './writing-roles.ts';

/** Whether the signed-in user may change things; for others, buttons that would are left out. */
export const mayWrite = (): boolean => WRITING_ROLES.includes(user.value?.role ?? '');
