import { AS_OF } from '../api/past/routes.ts';

const HEAD = `import type { Operation } from './request.ts';

// Generated from api/past/routes.ts by \`npm run generate\`.

/** Operations that respond with past states (docs/reference/history.md#past-states). */
`;

/** Returns the content of `console/api/as-of.ts`: the operations to which the console adds `?at=`. */
export const consoleAsOf = (): string =>
  `${HEAD}export const AS_OF: readonly Operation[] = [\n${Object.keys(AS_OF)
    .map((path) => `  'GET ${path}',\n`)
    .join('')}];\n`;
