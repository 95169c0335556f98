/** Roles, lowest first. */
export const ROLE_NAMES = ['viewer', 'editor', 'admin', 'billing'] as const;
export type RoleName = (typeof ROLE_NAMES)[number];
