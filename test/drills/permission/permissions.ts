import { PERMISSIONS as BEFORE, createPermissionChecks } from '../../../api/permissions.ts';
import type { Role } from './roles.ts';

/** The new permission as one row of `api/permissions.ts`. The new role is added to the rows that it should have. */
export const PERMISSIONS = {
  ...BEFORE,
  'pages.archive': ['admin', 'archivist'],
  'pages.read': [...BEFORE['pages.read'], 'archivist'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

export const { mayOf, lacks } = createPermissionChecks<Permission>(PERMISSIONS);
