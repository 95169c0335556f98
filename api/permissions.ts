import type { Caller } from '../http/routes/caller.ts';
import type { Role } from '../domain/organization/roles.ts';

const READERS = ['viewer', 'editor', 'admin', 'billing'] as const satisfies readonly Role[];
const EDITORS = ['editor', 'admin'] as const satisfies readonly Role[];
const AUDITORS = ['admin', 'billing'] as const satisfies readonly Role[];

/**
 * Which roles may do what (decisions.md: Roles). A permission is named by a resource and a verb and follows the
 * effect, not the method. Routes say which one they need, handlers ask `may(…)`; nothing else looks at roles.
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
  /** the figures at `/metrics` */
  'metrics.read': READERS,
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

/** Whether somebody may do something. */
export type May = (permission: Permission) => boolean;

/** Who may do what by a table of roles by permission: {@link PERMISSIONS}, or another one in tests. */
export const rightsBy = <P extends string>(table: Readonly<Record<P, readonly string[]>>) => {
  const may = (role: string | null, permission: P): boolean => role !== null && table[permission].includes(role);
  return {
    /** What a role may do: nothing without one, and nothing as one that stands in no row. */
    mayOf:
      (role: string | null) =>
      (permission: P): boolean =>
        may(role, permission),

    /**
     * What somebody lacks who may not do something, in a sentence; null when nothing.
     *
     * @param needed a permission of the table, which the declarations of routes see to
     */
    lacks: (needed: string, { actor }: Pick<Caller, 'actor'>): string | null => {
      const permission = needed as P;
      return may(actor.role, permission) ? null : `This needs the role ${table[permission].join(' or ')}.`;
    },
  };
};

export const { mayOf, lacks } = rightsBy(PERMISSIONS);
