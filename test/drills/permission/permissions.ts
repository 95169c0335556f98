import { PERMISSIONS as BEFORE, rightsBy } from '../../../api/permissions.ts';
import type { Role } from './roles.ts';

/** What a further permission is in `api/permissions.ts`: one row. The new role is put into those that it shall have. */
export const PERMISSIONS = {
  ...BEFORE,
  'pages.archive': ['admin', 'archivist'],
  'pages.read': [...BEFORE['pages.read'], 'archivist'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

export const { mayOf, lacks } = rightsBy<Permission>(PERMISSIONS);
