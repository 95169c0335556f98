import { ROLES as BEFORE } from '../../../domain/organization/roles.ts';

/** The new role as one line of `domain/organization/roles.ts`. */
export const ROLES = [
  ...BEFORE,
  /** reads pages, and archives them */
  'archivist',
] as const;

export type Role = (typeof ROLES)[number];
