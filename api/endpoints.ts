import { commandContext } from '../commands/engine/context.ts';
import type { Commands } from '../commands/index.ts';
import type { Mac } from '../domain/signed-token.ts';
import type { Plans } from '../domain/organization/plans.ts';
import type { Instant } from '../domain/time.ts';
import { reading, type Endpoint } from '../http/app.ts';
import { endpointsOf, type SurfaceDependencies } from '../http/routes/endpoints.ts';
import { createShareWork } from '../http/shared-work.ts';
import type { Artifacts } from '../stores/artifacts/port.ts';
import { openApiText } from './openapi/document.ts';
import { lacks } from './permissions.ts';
import type { LastUses } from './last-uses.ts';
import type { Api, Route } from './route.ts';

export interface ApiDependencies extends Omit<SurfaceDependencies<Api>, 'give' | 'lacks'> {
  commands: Commands;
  artifacts: Pick<Artifacts, 'find' | 'read'>;
  lastUses: Pick<LastUses, 'of'>;
  invoiceFile: Api['given']['invoiceFile'];
  /** `PUBLIC_URL`, which URLs in answers begin with; null or absent: there is none */
  publicUrl?: string | null;
  /** what organizations may have */
  plans: Plans;
  /** the first instant whose results are shown */
  resultsFrom: () => Instant;
}

/** The API: its routes, and `/openapi.json`, which describes them. */
export const apiEndpoints = (routes: readonly Route[], dependencies: ApiDependencies): Endpoint[] => {
  const { commands, readers, plans, resultsFrom, keys, artifacts, answeredWithin, publicUrl } = dependencies;
  const { lastUses, invoiceFile } = dependencies;
  const addressOf = (path: string): string => `${publicUrl ?? ''}${path}`;
  const shareWork = createShareWork();
  const mac: Mac = (kind, text) => keys.fingerprint(kind, text);
  const give: SurfaceDependencies<Api>['give'] = (asking) => {
    const { actor, caller, organizationId, now } = asking;
    const context = commandContext(asking);
    const scope = { read: readers.for(context), organizationId, now, resultsFrom, plans, keys };
    return {
      context,
      caller,
      commands,
      scope,
      artifacts,
      lastUses,
      invoiceFile,
      addressOf,
      mac,
      share: (names, key, signal, work) =>
        shareWork(JSON.stringify([organizationId, readers.positions(names), key]), signal, work),
      may: (permission) => lacks(permission, { actor, ...caller }) === null,
    };
  };
  let document: string | null = null;
  return [
    ...endpointsOf(routes, { ...dependencies, give, lacks }),
    reading(
      '/openapi.json',
      async () => ({
        status: 200,
        headers: { 'Cache-Control': 'no-cache' },
        body: (document ??= openApiText(routes)),
      }),
      answeredWithin,
    ),
  ];
};
