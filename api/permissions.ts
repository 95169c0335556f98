import type { Caller } from '../http/routes/caller.ts';
import type { Role } from '../domain/organization/roles.ts';

const READERS = ['viewer', 'editor', 'admin', 'billing'] as const satisfies readonly Role[];
const EDITORS = ['editor', 'admin'] as const satisfies readonly Role[];
const ADMINS = ['admin'] as const satisfies readonly Role[];
const AUDITORS = ['admin', 'billing'] as const satisfies readonly Role[];

/**
 * Which roles may do what (decisions.md: Roles). A permission is named by a resource and a verb, and depends on the
 * effect, not the method. Routes name the one they need, handlers ask `may(…)`; nothing else looks at roles.
 */
export const PERMISSIONS = {
  /** one's own profile, password, second factor and sessions; only with a session */
  'account.manage': READERS,
  /** alerts, their rules and their channels */
  'alerts.read': READERS,
  'alerts.write': EDITORS,
  /** one's own keys, of a role that one has oneself at least */
  'api_keys.own': READERS,
  /** everybody's keys */
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
  /** the stream of changes, which names what the caller may read */
  'events.read': READERS,
  'heartbeats.read': READERS,
  'heartbeats.write': EDITORS,
  'incidents.read': READERS,
  /** withholding texts of incident updates from visitors, for good */
  'incidents.withhold': ADMINS,
  'incidents.write': EDITORS,
  'jobs.read': READERS,
  /** the figures at `/metrics` */
  'metrics.read': READERS,
  /** what pages have told their subscribers */
  'notifications.read': READERS,
  'organizations.read': READERS,
  /** the name; what concerns payment needs `billing.write` */
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
  /** values of secrets, and what checks send and get back, unmasked */
  'secrets.reveal': EDITORS,
  'secrets.write': EDITORS,
  /** how the service is, for admins of the first organization alone */
  'service.operate': ADMINS,
  /** who hears of what happens on pages; addresses are masked */
  'subscribers.read': READERS,
  /** exporting unmasked addresses, and searching by any part of one */
  'subscribers.export': ADMINS,
  'subscribers.write': EDITORS,
  'uptime.read': READERS,
  /** who belongs to the organization */
  'users.read': READERS,
  'users.write': ADMINS,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

/** What only somebody who has signed in may do: no key changes how its maker signs in. */
const SESSION_ONLY: readonly string[] = ['account.manage'] satisfies Permission[];

/** Whether a permission is of use with a session alone. */
export const needsSession = (permission: string): boolean => SESSION_ONLY.includes(permission);

/** Whether somebody may do something. */
export type May = (permission: Permission) => boolean;

const NO_SESSION = 'This needs a session: sign in, and use its access token instead of an API key.';

/** Who may do what, by a table of the roles for each permission: {@link PERMISSIONS}, or another one in tests. */
export const rightsBy = <P extends string>(table: Readonly<Record<P, readonly string[]>>) => {
  const may = (role: string | null, permission: P): boolean => role !== null && table[permission].includes(role);
  return {
    /** What a role may do: nothing if it is null or in no row of the table. */
    mayOf:
      (role: string | null) =>
      (permission: P): boolean =>
        may(role, permission),

    /**
     * Says in a sentence which role or session a caller lacks; null when the caller has the permission.
     *
     * @param needed a permission of the table, as the declarations of routes make sure
     */
    lacks: (needed: string, { actor, sessionId }: Pick<Caller, 'actor' | 'sessionId'>): string | null => {
      const permission = needed as P;
      if (!may(actor.role, permission)) return `This needs the role ${table[permission].join(' or ')}.`;
      return needsSession(permission) && sessionId === null ? NO_SESSION : null;
    },
  };
};

export const { mayOf, lacks } = rightsBy(PERMISSIONS);
