import { commandContext } from '../commands/engine/context.ts';
import type { Commands } from '../commands/index.ts';
import type { Mac } from '../domain/signed-token.ts';
import type { Plans } from '../domain/organization/plans.ts';
import { instantOf, type Instant } from '../domain/time.ts';
import { reading, type Endpoint } from '../http/app.ts';
import { endpointsOf, type SurfaceDependencies } from '../http/routes/endpoints.ts';
import { eventStreamLimits, MOST_EVENT_STREAMS } from '../http/media/stream-limit.ts';
import { createRememberList } from '../http/recent-work.ts';
import { createShareWork } from '../http/shared-work.ts';
import type { Statuses } from '../projections/engine/status/statuses.ts';
import type { Artifacts } from '../stores/artifacts/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { Authenticate } from './authentication.ts';
import { openApiText } from './openapi/document.ts';
import { lacks } from './permissions.ts';
import type { LastUses } from './last-uses.ts';
import type { Api, Route } from './route.ts';
import type { Operator } from './v1/operator/operator.ts';
import { createEventStreams } from './v1/events/streams.ts';

export interface ApiDependencies extends Omit<SurfaceDependencies<Api>, 'give' | 'lacks'> {
  commands: Commands;
  artifacts: Pick<Artifacts, 'find' | 'read'>;
  lastUses: Pick<LastUses, 'of'>;
  invoiceFile: Api['given']['invoiceFile'];
  previewIncident: Api['given']['previewIncident'];
  /** null or absent: this process does not show how the service is */
  operator?: Operator | null;
  previewPage: Api['given']['previewPage'];
  /** `PUBLIC_URL`, which URLs in answers begin with; null or absent: there is none */
  publicUrl?: string | null;
  /** the log whose changes are streamed */
  main: Pick<EventStore, 'readAll' | 'subscribe'>;
  statuses: Pick<Statuses, 'all'>;
  /** looks at credentials again while a stream is open */
  authenticate: Authenticate;
  /** how many streams of events there may be; default: {@link MOST_EVENT_STREAMS} */
  mostEventStreams?: number;
  /** what organizations may have */
  plans: Plans;
  /** the first instant whose results are shown */
  resultsFrom: () => Instant;
}

/** The API: its routes, and `/openapi.json`, which describes them. */
export const apiEndpoints = (routes: readonly Route[], dependencies: ApiDependencies): Endpoint[] => {
  const { commands, readers, plans, resultsFrom, keys, artifacts, answeredWithin, publicUrl } = dependencies;
  const { lastUses, invoiceFile, previewIncident, previewPage, operator = null } = dependencies;
  const addressOf = (path: string): string => `${publicUrl ?? ''}${path}`;
  const shareWork = createShareWork();
  const rememberList = createRememberList();
  const mac: Mac = (kind, text) => keys.fingerprint(kind, text);
  const { perAddress: perOrganization } = eventStreamLimits(dependencies.mostEventStreams ?? MOST_EVENT_STREAMS);
  const events = createEventStreams({
    ...dependencies,
    addressOf,
    instant: () => instantOf(dependencies.clock()),
    limits: { perOrganization },
  });
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
