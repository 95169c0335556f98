import { PERMISSIONS, type Permission } from '../api/permissions.ts';
import type { Route } from '../api/route.ts';
import { ROLES } from '../domain/organization/roles.ts';

const HEAD = `# Who may do what

Made by \`npm run generate\`: the roles from \`domain/organization/roles.ts\`, what each may do from \`api/permissions.ts\`, what a route needs from its declaration in \`api/v1/\`. Whatever a key is of, it sees the data of its own organization alone; a role that is not listed here may do nothing.

Beside the routes under \`/v1\`, \`/openapi.json\`, \`/health/live\` and \`/health/ready\` need no key. \`/metrics\` takes any key that works, or what [operations.md](operations.md) says.`;

type Cell = string | boolean;

const table = (headings: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [headings, headings.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => (cell === true ? 'yes' : cell === false ? '' : cell)).join(' | ')} |`)
    .join('\n');

const roleHeadings = ROLES.map((role) => `\`${role}\``);

const rolesWith = (permission: Permission): boolean[] => {
  const roles: readonly string[] = PERMISSIONS[permission];
  return ROLES.map((role) => roles.includes(role));
};

/** `docs/permissions.md`: which role has which permission, and may call which of the routes. */
export const permissionsDocument = (routes: readonly Route[]): string => {
  const permissions = Object.keys(PERMISSIONS) as Permission[];
  const needed = new Set(routes.flatMap(({ access }) => ('needs' in access ? [access.needs] : [])));
  const inHandlers = permissions.filter((permission) => !needed.has(permission));
  const ofRoutes = routes.map(({ methods, path, access }) => {
    const name = `\`${methods.map((method) => method.toUpperCase()).join(', ')} ${path}\``;
    return 'public' in access
      ? [name, 'none: needs no key', ...ROLES.map(() => true)]
      : [name, `\`${access.needs}\``, ...rolesWith(access.needs)];
  });
  const parts = [
    HEAD,
    '## Permissions',
    table(
      ['permission', ...roleHeadings],
      permissions.map((permission) => [`\`${permission}\``, ...rolesWith(permission)]),
    ),
    `No route needs ${inHandlers.map((permission) => `\`${permission}\``).join(', ')}: what routes show depends on it.`,
    '## Routes',
    table(['route', 'permission', ...roleHeadings], ofRoutes),
  ];
  return `${parts.join('\n\n')}\n`;
};
