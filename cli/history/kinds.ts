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

/** A resource at a point in time: its id, its own events until then, and the read models of that time. */
export interface PastResource {
  id: string;
  own: readonly RecordedEvent[];
  read: Read;
  keys: Keys;
  at: Instant;
}

/** A kind of resource whose history can be shown. */
export interface ResourceKind {
  /** the streams, besides the resource's own, with events that concern it: `{category}-{id}` */
  context: (own: readonly RecordedEvent[]) => string[];
  /** the resource as the API showed it; null if it did not exist */
  show: (past: PastResource) => Promise<unknown>;
}

type ResourceView = Record<string, unknown>;

/** Fields, by kind, that cannot be derived from the streams read here, besides those that `?at=` does not know either. */
const NOT_KNOWN: Readonly<Record<string, readonly string[]>> = {
  // The score counts incident updates, which are in other streams than the page's.
  page: ['activity_score'],
  // Links are signed on request and expire after some minutes.
  payment: ['confirmation_url'],
  // The group's checks have their own streams.
  check_group: ['checks_count', 'status', 'status_summary'],
};

/** The last path parameter of categories that do not name it after themselves. */
const PARAMETERS: Readonly<Record<string, string>> = {
  alert_channel: 'channel_id',
  alert_rule: 'rule_id',
  heartbeat: 'heartbeat_key',
};

/** By kind, the streams of resources that the kind's own events refer to but its path does not. */
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

/** An organization includes its keys, but not the fields that require the right to read billing. */
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
 * A resource shown by a route whose parameter is named after its category: `GET
 * /v1/pages/{page_id}/incidents/{incident_id}` shows the kind `incident`. Its events refer to the page, whose stream
 * has events about the incident too.
 */
const kindOfRoute = (route: Route, category: string): ResourceKind => {
  const parents = parametersOf(route).slice(0, -1);
  const { unknown: ofRoute = [], leftOut = [] } = AS_OF[route.path] ?? {};
  const unknown = [...ofRoute, ...leftOut, ...(NOT_KNOWN[category] ?? [])];
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

/** The end of the path of a resource whose last parameter is used by other paths too. */
const ENDS: Readonly<Record<string, string>> = { check_group: '/check-groups/{group_id}' };

/** The route that shows one resource of a category. */
const routeOf = (category: string): Route | undefined => {
  const end = ENDS[category] ?? `/{${parameterOf(category)}}`;
  return v1Routes.find(({ path, methods }) => methods.includes('get') && path.endsWith(end));
};

/** Kinds by name, which is also the category of their streams. */
export const RESOURCE_KINDS: ReadonlyMap<string, ResourceKind> = new Map([
  ...Object.keys(eventTypes).flatMap((category): [string, ResourceKind][] => {
    const route = routeOf(category);
    return route ? [[category, kindOfRoute(route, category)]] : [];
  }),
  ['organization', organization],
]);

const without = (fields: readonly string[], shown: ResourceView): ResourceView =>
  Object.fromEntries(Object.entries(shown).filter(([name]) => !fields.includes(name)));

/** Refuses `?at=`: the state is a past one already. */
const NO_PAST: ApiSurface['given']['past'] = {
  at: () => {
    throw new NotFound('Not found.');
  },
  stream: async () => [],
  events: async () => [],
};

/** The response of a GET route to a viewer of the resource's organization; null instead of 404. */
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
    // These resources come from the log `main`, which has no results.
    scope: { read, organizationId: context.organizationId, now: at, resultsFrom: () => at, plans: SELF_HOSTED, keys },
    past: NO_PAST,
    addressOf: (path: string) => path,
    invoiceFile: () => Promise.reject(new Error('Invoice files are not available in the history.')),
    previewIncident: () => Promise.reject(new Error('Previews are not available in the history.')),
    previewPage: () => Promise.reject(new Error('Previews are not available in the history.')),
    // No signed link is shown (NOT_KNOWN).
    mac: () => Promise.resolve(''),
    // The past has no new events.
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

/** The requested resource; null if it did not exist. */
const orNull = async <T>(request: Promise<T>): Promise<T | null> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
};
