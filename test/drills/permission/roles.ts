import { ROLES as BEFORE } from '../../../domain/organization/roles.ts';

/** The list of `domain/organization/roles.ts` with the new role. */
export const ROLES = [
  ...BEFORE,
  /** reads and archives pages */
  'archivist',
] as const;

export type Role = (typeof ROLES)[number];
