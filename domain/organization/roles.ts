/**
 * All roles. To add a role, add a line here and its permissions in api/permissions.ts; without these it
 * has none.
 *
 * Events and read models store a role as text, since a log may contain a role of a newer release. Keys with an unknown
 * role are recognised, but have no permissions.
 */
export const ROLES = [
  /** reads monitoring data and pages, but no secrets */
  'viewer',
  /** may also change these, and sees their secrets */
  'editor',
  /** may also change the organization and its users */
  'admin',
  /** reads what a viewer reads, and also usage, payments and the audit log */
  'billing',
] as const;

export type Role = (typeof ROLES)[number];

/** Whether a text is a role that this release knows. */
export const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name);

/** The other roles that each role includes, with all of their permissions. */
const INCLUDED: Readonly<Record<Role, readonly Role[]>> = {
  viewer: [],
  editor: ['viewer'],
  admin: ['viewer', 'editor', 'billing'],
  billing: ['viewer'],
};

/** Whether a role has all permissions of another one. Unknown roles include none. */
export const includesRole = (role: string, other: string): boolean =>
  isRole(role) && isRole(other) && (role === other || INCLUDED[role].includes(other));

/**
 * The greatest role that both include: the effective role of a key whose creator has the other role. If one is unknown,
 * the result is that unknown role, which has no permissions.
 */
export const lesserRole = (one: string, other: string): string => {
  for (const role of [one, other]) if (!isRole(role)) return role;
  if (includesRole(one, other)) return other;
  return includesRole(other, one) ? one : 'viewer';
};
