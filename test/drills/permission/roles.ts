import { ROLES as BEFORE } from '../../../domain/organization/roles.ts';

/** What a further role is in `domain/organization/roles.ts`: one line. */
export const ROLES = [
  ...BEFORE,
  /** reads pages, and puts them away */
  'archivist',
] as const;

export type Role = (typeof ROLES)[number];
