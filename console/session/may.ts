import { user } from './session.ts';
import { WRITING_ROLES } from './writing-roles.ts';

/** Whether whoever has signed in may change things; buttons for that are left out for all others. */
export const mayWrite = (): boolean => WRITING_ROLES.includes(user.value?.role ?? '');
