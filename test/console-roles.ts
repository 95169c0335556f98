import { PERMISSIONS } from '../api/permissions.ts';
import { ROLES } from '../domain/organization/roles.ts';
import type { AnyRoute } from '../http/routes/route.ts';

const HEAD = `import type { Operation } from './request.ts';

// Generated from the routes by \`npm run generate\`.

/** Operations restricted to some roles, by role; every role may call the others. */
`;

/** Returns the content of `console/api/roles.ts`: the roles by operation, which the console uses to hide buttons. */
export const consoleRoles = (routes: readonly AnyRoute[]): string => {
  const operations = new Map<string, string[]>();
  for (const { access, methods, path } of routes) {
    if (!('needs' in access)) continue;
    const roles = PERMISSIONS[access.needs as keyof typeof PERMISSIONS] as readonly string[];
    if (roles.length === ROLES.length) continue;
    const having = roles.join(' ');
    operations.set(having, [
      ...(operations.get(having) ?? []),
      ...methods.map((method) => `${method.toUpperCase()} ${path}`),
    ]);
  }
  const entries = [...operations].map(([roles, ofRoles]) => {
    const lines = ofRoles.map((operation) => `    '${operation}',`).join('\n');
    return `  ${roles.includes(' ') ? `'${roles}'` : roles}: [\n${lines}\n  ],\n`;
  });
  return `${HEAD}export const ROLES: Readonly<Record<string, readonly Operation[]>> = {\n${entries.join('')}};\n`;
};
