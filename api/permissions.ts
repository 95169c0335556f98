import type { Caller } from '../http/routes/caller.ts';
import type { Role } from '../domain/organization/roles.ts';

const READERS = ['viewer', 'editor', 'admin', 'billing'] as const satisfies readonly Role[];
const EDITORS = ['editor', 'admin'] as const satisfies readonly Role[];
const ADMINS = ['admin'] as const satisfies readonly Role[];
const AUDITORS = ['admin', 'billing'] as const satisfies readonly Role[];

/**
 * The roles that have each permission (docs/reference/users.md#roles). The name of a permission consists of a resource
 * and a verb. The verb describes the effect of a request, not its HTTP method. Routes declare the permission they need,
 * and handlers call `may(…)`. No other code checks roles.
 */
export const PERMISSIONS = {
  /** the caller's own profile, password, second factor and sessions; only with a session */
  'account.manage': READERS,
  /** alerts, their rules and their channels */
  'alerts.read': READERS,
  'alerts.write': EDITORS,
  /** the caller's own keys, whose role must not exceed the caller's */
  'api_keys.own': READERS,
  /** the keys of all users */
  'api_keys.administer': ADMINS,
  'audit.read': AUDITORS,
  /** payments, subscriptions, invoice details and renewal */
  'billing.read': AUDITORS,
  'billing.write': AUDITORS,
  'checks.execute': EDITORS,
  'checks.read': READERS,
  'checks.write': EDITORS,
  'components.read': READERS,
  'components.write': EDITORS,
  /** the stream of changes to resources that the caller may read */
  'events.read': READERS,
  'heartbeats.read': READERS,
  'heartbeats.write': EDITORS,
  'incidents.read': READERS,
  /** permanently withholding texts of incident updates from visitors */
  'incidents.withhold': ADMINS,
  'incidents.write': EDITORS,
  'jobs.read': READERS,
  /** metrics at `/metrics` */
  'metrics.read': READERS,
  /** notifications of pages to their subscribers */
  'notifications.read': READERS,
  'organizations.read': READERS,
  /** changing the organization's name; billing data needs `billing.write` */
  'organizations.write': ADMINS,
  'pages.read': READERS,
  'pages.write': EDITORS,
  'reference.read': READERS,
  'reports.read': READERS,
  'reports.write': EDITORS,
  'results.read': READERS,
  /** remote runners, with their addresses and load */
  'runners.read': READERS,
  /** private locations; public regions need `service.operate` */
  'runners.write': ADMINS,
  /** names of secrets; values need `secrets.reveal` */
  'secrets.read': READERS,
  /** values of secrets, and unmasked requests and responses of checks */
  'secrets.reveal': EDITORS,
  'secrets.write': EDITORS,
  /** the state of the service; only admins of the first organization */
  'service.operate': ADMINS,
  /** subscribers of pages, with masked addresses */
  'subscribers.read': READERS,
  /** exporting unmasked addresses, and searching by any part of an address */
  'subscribers.export': ADMINS,
  'subscribers.write': EDITORS,
  'uptime.read': READERS,
  /** users of the organization */
  'users.read': READERS,
  'users.write': ADMINS,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

/**
 * Permissions that require a session. An API key does not suffice, so a leaked key cannot change its creator's sign-in.
 */
const SESSION_ONLY: readonly string[] = ['account.manage'] satisfies Permission[];

/** Tests whether a permission requires a session. */
export const needsSession = (permission: string): boolean => SESSION_ONLY.includes(permission);

/** Tests whether the caller has a permission. */
export type May = (permission: Permission) => boolean;

const NO_SESSION = 'This needs a session: sign in, and use the access token instead of an API key.';

/**
 * Creates permission checks from a table of roles by permission: {@link PERMISSIONS}, or a different table in tests.
 */
export const createPermissionChecks = <P extends string>(table: Readonly<Record<P, readonly string[]>>) => {
  const may = (role: string | null, permission: P): boolean => role !== null && table[permission].includes(role);
  return {
    /** Returns a function that tests whether a role has a permission. A null or unknown role has none. */
    mayOf:
      (role: string | null) =>
      (permission: P): boolean =>
        may(role, permission),

    /**
     * Returns null if the caller has the permission, otherwise an error message naming the missing role or session.
     *
     * @param needed a permission of the table; the types of route declarations ensure this
     */
    lacks: (needed: string, { actor, sessionId }: Pick<Caller, 'actor' | 'sessionId'>): string | null => {
      const permission = needed as P;
      if (!may(actor.role, permission)) return `This needs the role ${table[permission].join(' or ')}.`;
      return needsSession(permission) && sessionId === null ? NO_SESSION : null;
    },
  };
};

export const { mayOf, lacks } = createPermissionChecks(PERMISSIONS);
