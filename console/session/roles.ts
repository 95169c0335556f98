/** Roles that somebody can have, the least first. */
export const ROLE_NAMES = ['viewer', 'editor', 'admin', 'billing'] as const;
export type RoleName = (typeof ROLE_NAMES)[number];
