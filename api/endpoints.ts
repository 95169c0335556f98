import { commandContext } from '../commands/engine/context.ts';
import type { Commands } from '../commands/index.ts';
import type { Mac } from '../domain/signed-token.ts';
import type { Plans } from '../domain/organization/plans.ts';
import { instantOf, type Instant } from '../domain/time.ts';
import { pollEndpoint, type Endpoint } from '../http/app.ts';
import { endpointsOf, type SurfaceDependencies } from '../http/routes/endpoints.ts';
import { eventStreamLimits, MOST_EVENT_STREAMS } from '../http/media/stream-limit.ts';
import { createListCache } from '../http/list-cache.ts';
import { createShareWork } from '../http/shared-work.ts';
import type { Statuses } from '../projections/engine/status/statuses.ts';
import type { Artifacts } from '../stores/artifacts/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { PastReads } from '../projections/past/past-reads.ts';
import type { Authenticate } from './authentication.ts';
import { CONFIGURATION_SCHEMA_PATH, configurationSchemaText } from './configuration/document.ts';
import { openApiText } from './openapi/document.ts';
import { lacks } from './permissions.ts';
import type { LastUses } from './last-uses.ts';
import type { ApiSurface, Route } from './route.ts';
import type { Operator } from './v1/operator/operator.ts';
import { createEventStreams } from './v1/events/streams.ts';

export interface ApiDependencies extends Omit<SurfaceDependencies<ApiSurface>, 'createHandlerContext' | 'lacks'> {
  commands: Commands;
  artifacts: Pick<Artifacts, 'find' | 'read'>;
  lastUses: Pick<LastUses, 'of'>;
  invoiceFile: ApiSurface['given']['invoiceFile'];
  statementFile: ApiSurface['given']['statementFile'];
  previewIncident: ApiSurface['given']['previewIncident'];
  /** The operator's view of the service. Null or absent if this process does not provide it. */
  operator?: Operator | null;
  previewPage: ApiSurface['given']['previewPage'];
  /** `PUBLIC_URL`, the prefix of URLs in responses. Null or absent if not configured. */
  publicUrl?: string | null;
  /** The log `main`. Event streams and past states are read from it. */
  main: Pick<EventStore, 'readAll' | 'readStream' | 'subscribe'>;
  /** Reads past states. */
  past: PastReads;
  statuses: Pick<Statuses, 'all'>;
  /** Verifies the credentials of an open event stream from time to time. */
  authenticate: Authenticate;
  /** maximum number of event streams; default: {@link MOST_EVENT_STREAMS} */
  mostEventStreams?: number;
  /** the plans and their limits */
  plans: Plans;
  /** Returns the start of the retention period of results. */
  resultsFrom: () => Instant;
}

/** Creates the endpoints of the API, and the documents that describe them and configuration files. */
export const apiEndpoints = (routes: readonly Route[], dependencies: ApiDependencies): Endpoint[] => {
  const { commands, readers, plans, resultsFrom, keys, artifacts, deadlineMs, publicUrl } = dependencies;
  const { past, lastUses, invoiceFile, statementFile, previewIncident, previewPage, operator = null } = dependencies;
  const addressOf = (path: string): string => `${publicUrl ?? ''}${path}`;
  const shareWork = createShareWork();
  const rememberList = createListCache();
  const mac: Mac = (kind, text) => keys.fingerprint(kind, text);
  const { perAddress: perOrganization } = eventStreamLimits(dependencies.mostEventStreams ?? MOST_EVENT_STREAMS);
  const events = createEventStreams({
    ...dependencies,
    addressOf,
    instant: () => instantOf(dependencies.clock()),
    limits: { perOrganization },
  });
  const give: SurfaceDependencies<ApiSurface>['createHandlerContext'] = (request) => {
    const { actor, caller, organizationId, now } = request;
    const context = commandContext(request);
    const scope = { read: readers.for(context), organizationId, now, resultsFrom, plans, keys };
    return {
      context,
      caller,
      commands,
      scope,
      past,
      artifacts,
      lastUses,
      invoiceFile,
      statementFile,
      previewIncident,
      operator,
      previewPage,
      addressOf,
      mac,
      events,
      share: (names, key, signal, work) =>
        shareWork(JSON.stringify([organizationId, readers.positions(names), key]), signal, work),
      positions: readers.positions,
      remember: (names, key, work) =>
        rememberList(JSON.stringify([organizationId, key]), readers.positions(names), work),
      may: (permission) => lacks(permission, { actor, ...caller }) === null,
    };
  };
  let document: string | null = null;
  let configurationSchema: string | null = null;
  return [
    ...endpointsOf(routes, { ...dependencies, createHandlerContext: give, lacks }),
    pollEndpoint(
      '/openapi.json',
      async () => ({
        status: 200,
        headers: { 'Cache-Control': 'no-cache' },
        body: (document ??= openApiText(routes)),
      }),
      deadlineMs,
    ),
    pollEndpoint(
      CONFIGURATION_SCHEMA_PATH,
      async () => ({
        status: 200,
        headers: { 'Cache-Control': 'no-cache' },
        body: (configurationSchema ??= configurationSchemaText()),
      }),
      deadlineMs,
    ),
  ];
};
