/**
 * All roles. A new one is a line here; its permissions are its entries in the rows of
 * api/permissions.ts, and until then it has none.
 *
 * Events and what is read from them hold a role as text: a log may contain one that this release does not know, such as
 * one of a later release. It means nothing here, so its keys are recognized and may do nothing.
 */
export const ROLES = [
  /** reads what is monitored and shown, but no secrets */
  'viewer',
  /** may also change it, and sees the secrets that belong to it */
  'editor',
  /** may also change the organization, and who belongs to it */
  'admin',
  /** reads what a viewer reads; also usage and payments, and the audit log */
  'billing',
] as const;

export type Role = (typeof ROLES)[number];

/** Whether a text names a role that this release knows. */
export const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name);

/** Which other roles each includes: whoever has it may do all that those may. */
const INCLUDED: Readonly<Record<Role, readonly Role[]>> = {
  viewer: [],
  editor: ['viewer'],
  admin: ['viewer', 'editor', 'billing'],
  billing: ['viewer'],
};

/** Whether whoever has a role may do all that another one may. One that this release does not know includes none. */
export const includesRole = (role: string, other: string): boolean =>
  isRole(role) && isRole(other) && (role === other || INCLUDED[role].includes(other));

/**
 * The greatest role that two include: what a key of one role may do for somebody who has the other. A role that this
 * release does not know may do nothing, and so may both together.
 */
export const lesserRole = (one: string, other: string): string => {
  for (const role of [one, other]) if (!isRole(role)) return role;
  if (includesRole(one, other)) return other;
  return includesRole(other, one) ? one : 'viewer';
};
