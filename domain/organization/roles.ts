/**
 * All roles. To add a role, add a line here and add the role's permissions in api/permissions.ts. A role without an
 * entry in api/permissions.ts has no permissions.
 *
 * Events and read models store a role as text, because a log may contain a role of a newer release. A key with an
 * unknown role is recognised, but has no permissions.
 */
export const ROLES = [
  /** can read monitoring data and pages, but no secrets */
  'viewer',
  /** can also change monitoring data and pages, and read their secrets */
  'editor',
  /** can also change the organization and its users */
  'admin',
  /** can read what a viewer can, and also usage, payments and the audit log */
  'billing',
] as const;

export type Role = (typeof ROLES)[number];

/** Whether a text is a role that this release knows. */
export const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name);

/** For each role, the other roles whose permissions it includes. */
const INCLUDED: Readonly<Record<Role, readonly Role[]>> = {
  viewer: [],
  editor: ['viewer'],
  admin: ['viewer', 'editor', 'billing'],
  billing: ['viewer'],
};

/** Whether a role has all permissions of another role. An unknown role includes no role, and no role includes it. */
export const includesRole = (role: string, other: string): boolean =>
  isRole(role) && isRole(other) && (role === other || INCLUDED[role].includes(other));

/**
 * Returns the greatest role that both roles include. If a key has one of the roles and its creator has the other role,
 * the result is the effective role of the key. If one of the roles is unknown, returns the unknown role, which has no
 * permissions.
 */
export const lesserRole = (one: string, other: string): string => {
  for (const role of [one, other]) if (!isRole(role)) return role;
  if (includesRole(one, other)) return other;
  return includesRole(other, one) ? one : 'viewer';
};
