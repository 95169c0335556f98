import { needsSession, PERMISSIONS } from '../api/permissions.ts';
import { ROLES } from '../domain/organization/roles.ts';
import type { AnyRoute } from '../http/routes/route.ts';

const HEAD = `# Who may do what

Made by \`npm run generate\`: the roles from \`domain/organization/roles.ts\`, what each may do from \`api/permissions.ts\`, what a route needs from its declaration in \`api/v1/\`. \`test/api/callers.test.ts\` holds every route to it, for keys and sessions of each role and for all that is refused. A caller sees the data of its own organization alone; a key has the lesser of its own role and the present one of whoever made it; a role that is not listed here may do nothing. \`session\` stands for what an access token of a session opens, and no API key.

Beside the routes under \`/v1\`, \`/openapi.json\`, the documentation at \`/docs\`, the page of the console at \`/console\`, the front page \`/\`, \`/health/live\` and \`/health/ready\` need no key. \`/metrics\` needs \`metrics.read\`, or what [operations.md](operations.md) says.`;

const code = (text: string): string => `\`${text}\``;

const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [headings, headings.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const methodsOf = ({ methods }: AnyRoute): string => methods.map((method) => method.toUpperCase()).join(', ');

/**
 * `docs/permissions.md`: the permissions of each role, and the routes that it may call.
 *
 * @param permissions roles by permission
 */
export const permissionsDocument = (
  routes: readonly AnyRoute[],
  permissions: Readonly<Record<string, readonly string[]>> = PERMISSIONS,
  roles: readonly string[] = ROLES,
): string => {
  const marks = (having: readonly string[] = [], yes = 'yes'): string[] =>
    roles.map((role) => (having.includes(role) ? yes : ''));
  const rights = (permission: string): string[] =>
    marks(permissions[permission], needsSession(permission) ? 'session' : 'yes');
  const needs = ({ access }: AnyRoute): string[] => {
    if ('needs' in access) return [code(access.needs), ...rights(access.needs)];
    return 'link' in access.public ? ['none: a signed link', ...marks()] : ['none: no key is needed', ...marks(roles)];
  };
  const needed = new Set(routes.flatMap(({ access }) => ('needs' in access ? [access.needs] : [])));
  const others = Object.keys(permissions).filter((permission) => !needed.has(permission));
  const headings = roles.map(code);
  const parts = [
    HEAD,
    '## Permissions',
    table(
      ['permission', ...headings],
      Object.keys(permissions).map((permission) => [code(permission), ...rights(permission)]),
    ),
    `No route below needs ${others.map(code).join(', ')}: what is served beside them, or shown in answers, depends on these.`,
    '## Routes',
    table(
      ['route', 'permission', ...headings],
      routes.map((route) => [code(`${methodsOf(route)} ${route.path}`), ...needs(route)]),
    ),
  ];
  return `${parts.join('\n\n')}\n`;
};
