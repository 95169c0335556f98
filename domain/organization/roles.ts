/**
 * The roles that there are. A further one is a line here; what it may do are its places in the rows of
 * api/permissions.ts, until then nothing.
 *
 * Events and what is read from them hold a role as text: a log may know one that this release does not, such as
 * one of a later release. It means nothing here, so its keys are known and may do nothing.
 */
export const ROLES = [
  /** reads what is monitored and shown, but no secrets */
  'viewer',
  /** changes it too, and sees the secrets that belong to it */
  'editor',
  /** changes the organization too, and who belongs to it */
  'admin',
  /** reads what a viewer reads; what is used and paid, and the audit log */
  'billing',
] as const;

export type Role = (typeof ROLES)[number];

/** Whether a text names a role that this release knows. */
export const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name);
