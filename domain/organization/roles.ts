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
