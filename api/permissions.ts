import type { Caller } from '../http/routes/caller.ts';
import type { Role } from '../domain/organization/roles.ts';

const READERS = ['viewer', 'editor', 'admin', 'billing'] as const satisfies readonly Role[];
const EDITORS = ['editor', 'admin'] as const satisfies readonly Role[];
const AUDITORS = ['admin', 'billing'] as const satisfies readonly Role[];

/**
 * Which roles may do what (decisions.md: Roles). A permission is named by a resource and a verb and follows the
 * effect, not the method. Routes say which one they need, handlers ask `call.may(…)`; nothing else looks at roles.
 */
export const PERMISSIONS = {
  'audit.read': AUDITORS,
  'checks.execute': EDITORS,
  'checks.read': READERS,
  'checks.write': EDITORS,
  'components.read': READERS,
  'components.write': EDITORS,
  'incidents.read': READERS,
  'incidents.write': EDITORS,
  'jobs.read': READERS,
  'organizations.read': READERS,
  'pages.read': READERS,
  'pages.write': EDITORS,
  'reference.read': READERS,
  'results.read': READERS,
  /** what checks send, and what comes back, as it is; masked to all others */
  'secrets.reveal': EDITORS,
  'uptime.read': READERS,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

/** Roles by permission: {@link PERMISSIONS}, or another table in tests. */
export type PermissionTable = Readonly<Record<Permission, readonly string[]>>;

/** Whether somebody may do something. */
export type May = (permission: Permission) => boolean;

/** What a role may do: nothing without one, and nothing as one that stands in no row. */
export const mayOf =
  (role: string | null, table: PermissionTable = PERMISSIONS): May =>
  (permission) =>
    role !== null && table[permission].includes(role);

/** What somebody lacks who may not do something, in a sentence; null when nothing. */
export const lacks = (permission: Permission, { actor }: Pick<Caller, 'actor'>): string | null =>
  mayOf(actor.role)(permission) ? null : `This needs an API key of role ${PERMISSIONS[permission].join(' or ')}.`;
