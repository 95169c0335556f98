import { PERMISSIONS as BEFORE, createPermissionChecks } from '../../../api/permissions.ts';
import type { Role } from './roles.ts';

/**
 * The table of `api/permissions.ts` with a row for the new permission. The new role is added to the rows that include
 * it.
 */
export const PERMISSIONS = {
  ...BEFORE,
  'pages.archive': ['admin', 'archivist'],
  'pages.read': [...BEFORE['pages.read'], 'archivist'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

export const { mayOf, lacks } = createPermissionChecks<Permission>(PERMISSIONS);
