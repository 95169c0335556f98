import type { Operation } from '../api/request.ts';
import { ROLES } from '../api/roles.ts';

const rolesOf = new Map<string, string>(
  Object.entries(ROLES).flatMap(([roles, operations]) => operations.map((operation) => [operation, roles] as const)),
);

/** Returns whether a role is allowed to call an operation of the API (docs/reference/permissions.md). */
export const roleMay = (role: string, operation: Operation): boolean =>
  rolesOf.get(operation)?.split(' ').includes(role) ?? true;
