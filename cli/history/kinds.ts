import { NO_CREDENTIALS } from '../../http/routes/caller.ts';
import { errorResponse } from '../../http/errors.ts';
import { SentRequest } from '../../http/routes/sent-request.ts';
import { mayOf } from '../../api/permissions.ts';
import { PAST_CONTEXT } from '../../api/past/past-context.ts';
import { AS_OF } from '../../api/past/routes.ts';
import type { ApiSurface, Route } from '../../api/route.ts';
import { v1Routes } from '../../api/v1/index.ts';
import { JSON_TYPE } from '../../http/media/media-types.ts';
import { commandContext } from '../../commands/engine/context.ts';
import type { AlertRuleFields } from '../../domain/alert-rule/fields.ts';
import { eventTypes } from '../../domain/event-types.ts';
import { streamOf } from '../../domain/decider.ts';
import { NotFound } from '../../domain/errors.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { systemActor } from '../../domain/system-event.ts';
import { unescaped } from '../../domain/sealed.ts';
import type { Read } from '../../projections/readers.ts';
import { findOrganization, listApiKeys } from '../../queries/organizations/organizations.ts';
import type { Keys } from '../../stores/keys/port.ts';
import { presentApiKey } from '../api-keys/api-keys.ts';
import { COMMAND_LINE } from '../../service/command-line.ts';
import { SELF_HOSTED } from '../../domain/organization/plans.ts';
import type { Instant } from '../../domain/time.ts';

/** A resource as it was at a point in time. */
export interface PastResource {
  id: string;
  own: readonly RecordedEvent[];
  read: Read;
  keys: Keys;
  at: Instant;
}

/** A kind of resource whose history can be shown. */
export interface ResourceKind {
  /**
   * returns the streams, apart from the resource's own stream, that contain events about the resource; names of streams
   * have the form `{category}-{id}`
   */
  context: (own: readonly RecordedEvent[]) => string[];
  /** returns the resource as the API showed it; null if the resource did not exist at that time */
  show: (past: PastResource) => Promise<unknown>;
}

type ResourceView = Record<string, unknown>;

/**
 * Fields that are not shown, by kind, because the events that this command reads do not contain them. Fields that the
 * API omits for `?at=`, or derives from results and pings, are not listed here again.
 */
const NOT_KNOWN: Readonly<Record<string, readonly string[]>> = {
  // The score counts incident updates, which are not in the page's stream.
  page: ['activity_score'],
  // Links are signed on request and expire after some minutes.
  payment: ['confirmation_url'],
  // The checks of the group have their own streams.
  check_group: ['checks_count', 'status', 'status_summary'],
  // Maintenances have their own streams.
  alert_rule: ['suppressed_by'],
};

/** The name of the path parameter of a resource, for each category whose parameter is not called `{category}_id`. */
const PARAMETERS: Readonly<Record<string, string>> = {
  alert_channel: 'channel_id',
  alert_rule: 'rule_id',
  heartbeat: 'heartbeat_key',
};

/**
 * By kind: returns the streams of further resources to which the events of a resource refer, such as the channels of an
 * alert rule. The path of the resource does not name these further resources.
 */
const NAMED: Readonly<Record<string, (own: readonly RecordedEvent[]) => string[]>> = {
  alert_rule: (own) => [
    ...new Set(
      own.flatMap(({ data }) => {
        const { rule, changes } = data as { rule?: Partial<AlertRuleFields>; changes?: Partial<AlertRuleFields> };
        const { check_id, channel_ids = [] } = rule ?? changes ?? {};
        const channels = channel_ids.map((id) => streamOf('alert_channel', id));
        return typeof check_id === 'string' ? [streamOf('check', check_id), ...channels] : channels;
      }),
    ),
  ],
  check: (own) => {
    const places = own.map(({ data }) => (data as { group_id?: string | null }).group_id ?? null);
    const bound = own.flatMap(({ data }) => (data as { secrets?: { secret_id: string }[] }).secrets ?? []);
    return [
      ...[...new Set(places)].flatMap((id) => (id === null ? [] : [streamOf('check_group', id)])),
      ...[...new Set(bound.map(({ secret_id }) => secret_id))].map((id) => streamOf('secret', id)),
    ];
  },
};

/**
 * An organization is shown with its keys, but without the fields that only a caller with access to billing can read.
 */
const organization: ResourceKind = {
  context: () => [],
  show: async ({ id, read }) => {
    const scope = { read, organizationId: id };
    const organization = await orNull(findOrganization(scope, id));
    if (!organization) return null;
    const { name, auto_renew, plan, credit_limit, created_at, updated_at } = organization;
    const api_keys = (await listApiKeys(scope)).map(presentApiKey);
    return { id, name, auto_renew, plan: plan?.id ?? null, credit_limit, created_at, updated_at, api_keys };
  },
};

/**
 * Returns the kind of a resource that a route shows. The last parameter of the route names the category: `GET
 * /v1/pages/{page_id}/incidents/{incident_id}` shows the kind `incident`. The other parameters name its parents: the
 * stream of the page contains events about the incident too.
 */
const kindOfRoute = (route: Route, category: string): ResourceKind => {
  const parents = parametersOf(route).slice(0, -1);
  const { unknown: ofRoute = [], results = {} } = AS_OF[route.path] ?? {};
  const unknown = [...ofRoute, ...Object.keys(results), ...(NOT_KNOWN[category] ?? [])];
  const [parameter = ''] = parametersOf(route).slice(-1);
  const idOf = (parameter: string, own: readonly RecordedEvent[]): string =>
    (own[0]?.data as Record<string, string> | undefined)?.[parameter] ?? '';
  return {
    context: (own) => [
      ...parents.map((parent) => streamOf(parent.replace(/_id$/, ''), idOf(parent, own))),
      ...(NAMED[category]?.(own) ?? []),
    ],
    show: async (past) => {
      const above = parents.map((parent): [string, string] => [parent, idOf(parent, past.own)]);
      const params = Object.fromEntries([...above, [parameter, past.id]]) as Record<string, string>;
      const shown = await answerOf(route, params, past);
      return shown && without(unknown, shown);
    },
  };
};

const parametersOf = ({ path }: Route): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const parameterOf = (category: string): string => PARAMETERS[category] ?? `${category}_id`;

/** The ends of paths that show a resource, for categories whose path parameter also occurs in other paths. */
const ENDS: Readonly<Record<string, string>> = { check_group: '/check-groups/{group_id}' };

/** Returns the route that shows one resource of a category. */
const routeOf = (category: string): Route | undefined => {
  const end = ENDS[category] ?? `/{${parameterOf(category)}}`;
  return v1Routes.find(({ path, methods }) => methods.includes('get') && path.endsWith(end));
};

/** The kinds of resources by name. The name is also the category of their streams. */
export const RESOURCE_KINDS: ReadonlyMap<string, ResourceKind> = new Map([
  ...Object.keys(eventTypes).flatMap((category): [string, ResourceKind][] => {
    const route = routeOf(category);
    return route ? [[category, kindOfRoute(route, category)]] : [];
  }),
  ['organization', organization],
]);

const without = (fields: readonly string[], shown: ResourceView): ResourceView =>
  Object.fromEntries(Object.entries(shown).filter(([name]) => !fields.includes(name)));

/** Refuses `?at=`, because the shown state is already a past one. */
const NO_PAST: ApiSurface['given']['past'] = {
  at: () => {
    throw new NotFound('Not found.');
  },
  stream: async () => [],
  events: async () => [],
  page: () => {
    throw new NotFound('Not found.');
  },
};

/** Returns the response of a GET route to a viewer of the resource's organization; null if the response is 404. */
const answerOf = (route: Route, params: Record<string, string>, past: PastResource): Promise<ResourceView | null> => {
  const { own, read, keys, at } = past;
  const context = commandContext({
    actor: systemActor(COMMAND_LINE),
    organizationId: own[0]?.metadata.organization_id ?? '',
    correlationId: 'history',
    commandId: 'history',
    repeatable: false,
    now: at,
  });
  const call = {
    ...PAST_CONTEXT,
    params,
    query: {},
    context,
    caller: NO_CREDENTIALS,
    // Resources with a history are built from the log `main`, which contains no results. So `resultsFrom` can be any
    // time.
    scope: { read, organizationId: context.organizationId, now: at, resultsFrom: () => at, plans: SELF_HOSTED, keys },
    past: NO_PAST,
    addressOf: (path: string) => path,
    invoiceFile: () => Promise.reject(new Error('Invoice files are not available in the history.')),
    statementFile: () => Promise.reject(new Error('Statements are not available in the history.')),
    previewIncident: () => Promise.reject(new Error('Previews are not available in the history.')),
    previewPage: () => Promise.reject(new Error('Previews are not available in the history.')),
    // Signed links are not shown (NOT_KNOWN), so the signature is empty.
    mac: () => Promise.resolve(''),
    // No new events can change a past state, so the stream sends nothing.
    events: { open: () => ({ attach: () => undefined }) },
    may: mayOf('viewer'),
    signal: new AbortController().signal,
    clientAddress: null,
    credential: null,
    sent: new SentRequest({ headers: {}, originalUrl: '', url: '', secure: false }),
    sealedFor: () => Promise.resolve({}),
    subject: null,
    type: JSON_TYPE,
    remaining: () => Infinity,
    errorResponseOf: errorResponse,
  } as const;
  const respond = async (): Promise<ResourceView> => {
    const found = route.find && (await route.find(call));
    const whole = { ...call, body: {}, found };
    const response = await route.handle(whole);
    return unescaped((await response.body?.()) as ResourceView);
  };
  return orNull(respond());
};

/** Returns the result of a request; null if the request fails with NotFound. */
const orNull = async <T>(request: Promise<T>): Promise<T | null> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
};
