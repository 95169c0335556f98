import type { Caller } from '../http/routes/caller.ts';
import type { Role } from '../domain/organization/roles.ts';

const READERS = ['viewer', 'editor', 'admin', 'billing'] as const satisfies readonly Role[];
const EDITORS = ['editor', 'admin'] as const satisfies readonly Role[];
const AUDITORS = ['admin', 'billing'] as const satisfies readonly Role[];

/**
 * Which roles may do what (decisions.md: Roles). A permission is named by a resource and a verb, and depends on the
 * effect, not the method. Routes name the one they need, handlers ask `may(…)`; nothing else looks at roles.
 */
export const PERMISSIONS = {
  /** alerts, their rules and their channels */
  'alerts.read': READERS,
  'alerts.write': EDITORS,
  'audit.read': AUDITORS,
  'checks.execute': EDITORS,
  'checks.read': READERS,
  'checks.write': EDITORS,
  'components.read': READERS,
  'components.write': EDITORS,
  'heartbeats.read': READERS,
  'heartbeats.write': EDITORS,
  'incidents.read': READERS,
  'incidents.write': EDITORS,
  'jobs.read': READERS,
  /** the figures at `/metrics` */
  'metrics.read': READERS,
  /** what pages have told their subscribers */
  'notifications.read': READERS,
  'organizations.read': READERS,
  'pages.read': READERS,
  'pages.write': EDITORS,
  'reference.read': READERS,
  'reports.read': READERS,
  'reports.write': EDITORS,
  'results.read': READERS,
  /** what checks send and get back, unmasked */
  'secrets.reveal': EDITORS,
  /** who hears of what happens on pages; addresses are masked */
  'subscribers.read': READERS,
  'subscribers.write': EDITORS,
  'uptime.read': READERS,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

/** Whether somebody may do something. */
export type May = (permission: Permission) => boolean;

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
     * Says in a sentence which role a caller lacks; null when the caller has the permission.
     *
     * @param needed a permission of the table, as the declarations of routes make sure
     */
    lacks: (needed: string, { actor }: Pick<Caller, 'actor'>): string | null => {
      const permission = needed as P;
      return may(actor.role, permission) ? null : `This needs the role ${table[permission].join(' or ')}.`;
    },
  };
};

export const { mayOf, lacks } = rightsBy(PERMISSIONS);
