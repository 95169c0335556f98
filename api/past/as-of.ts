import { Type, type TObject, type TSchema } from '@sinclair/typebox';
import { streamOf } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { Invalid, NotFound } from '../../domain/errors.ts';
import { unescaped } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';
import { StreamedJson } from '../../http/streamed-json.ts';
import type { Owner } from '../../projections/past/past-events.ts';
import { createPositionTokens, markOf } from '../v1/events/position-tokens.ts';
import type { RouteResponse, Call, Route } from '../route.ts';
import type { May, Permission } from '../permissions.ts';
import { instantIn } from '../schema.ts';
import { PAST_CONTEXT } from './past-context.ts';
import type { Source } from './source.ts';
import { isInFuture, type PastState } from '../../projections/past/past-reads.ts';
import type { IsUnknown, ResultFields } from './result-fields.ts';
import { withoutUnknown, withUnknown } from './unknown-fields.ts';

/** How a route responds with past states. */
export interface AsOf {
  /** The stream of the resource that the path names. Absent for routes without a history, such as lists. */
  source?: Source;
  /**
   * Names of path parameters, by category. In each of these categories, only the stream whose id is in the path
   * parameter is read. In all other categories, all streams of the organization or page are read.
   */
  only?: Readonly<Record<string, string>>;
  /** Fields that cannot be computed for the past. They are null, and `Uptrail-Unknown` names them. */
  unknown?: readonly string[];
  /** Fields that follow from results or pings. Where these have been removed, `Uptrail-Unknown` names the fields. */
  results?: ResultFields;
}

export type AnyCall = Call<Record<string, string>, Record<string, unknown>, unknown> & { found: unknown };

const AT = instantIn({ description: 'A past moment.' });

const FOREVER = 'private, max-age=31536000, immutable';

/**
 * Adds the parameter `?at=2026-11-20T15:04:05Z` to a route. With this parameter, the route responds with the state at
 * that time.
 */
export const withAsOf = (route: Route, asOf: AsOf): Route => {
  const { requireQuery, find, handle, query, responses } = route;
  const whole = responses[200];
  const nullable = [...(asOf.unknown ?? []), ...nullableResults(asOf)];
  const calls = new WeakMap<object, PastCall>();
  const pastOf = (call: AnyCall): PastCall | null => {
    const { at, ...others } = call.query as { at?: Instant };
    if (at === undefined) return null;
    const known = calls.get(call) ?? pastCall(call, at, others, asOf);
    calls.set(call, known);
    return known;
  };
  return {
    ...route,
    query: withAt(query),
    heavyWith: 'at',
    ...(whole && { responses: { ...responses, 200: withUnknown(whole, nullable) } }),
    requireQuery: (values, now) => {
      const { at, ...others } = values as { at?: Instant };
      if (at !== undefined && isInFuture(at, now))
        throw new Invalid({ query: { at: ['Must not be in the future.'] } }, 'The query is invalid.');
      requireQuery?.(others, at ?? now);
    },
    ...(find && { find: (call) => find(pastOf(call as unknown as AnyCall)?.call ?? call) }),
    handle: async (call) => {
      const past = pastOf(call as unknown as AnyCall);
      if (!past) return handle(call);
      const answer = await handle({ ...past.call, found: (call as { found: unknown }).found });
      return shownAsOf(route, answer, past, asOf);
    },
  };
};

const nullableResults = ({ results = {} }: AsOf): string[] =>
  Object.entries(results).flatMap(([field, { isOmitted }]) => (isOmitted ? [] : [field]));

/** Returns the body that a route would have sent at a past moment, or null if it would have responded with 404. */
export const shownAt = async (route: Route, asOf: AsOf, call: AnyCall, at: Instant): Promise<unknown> => {
  const past = pastCall(call, at, {}, asOf);
  try {
    const found = await route.find?.(past.call);
    const answer = await route.handle({ ...past.call, found });
    const body = unescaped(await answer.body?.());
    return withoutUnknown(body, asOf, { named: new Set(), isUnknown: isUnknownIn(past) });
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
};

const withAt = (query: TSchema | undefined): TObject => {
  const { properties = {}, ...options } = (query ?? {}) as Partial<TObject>;
  return Type.Object({ ...properties, at: Type.Optional(AT) }, options);
};

/** Permissions that only decide about secrets in the responses of GET routes. Past states never contain secrets. */
const REVEALING: ReadonlySet<Permission> = new Set(['secrets.reveal', 'alerts.write', 'incidents.write']);

/** Returns the permissions of a caller for past states, in which secrets are masked for every caller. */
const withoutSecrets =
  (may: May): May =>
  (permission) =>
    !REVEALING.has(permission) && may(permission);

/** Returns whether the route shows the resource to this caller now. Nothing is recorded, and no secret is read. */
export const isShownNow = async (route: Route, call: AnyCall): Promise<boolean> => {
  const present = { ...call, ...PAST_CONTEXT, query: {}, may: withoutSecrets(call.may) };
  try {
    const found = await route.find?.(present);
    const answer = await route.handle({ ...present, found });
    await answer.body?.();
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
};

interface PastCall {
  at: Instant;
  state: PastState;
  call: AnyCall;
}

const pastCall = (call: AnyCall, at: Instant, query: Record<string, unknown>, { only = {} }: AsOf): PastCall => {
  const { params, scope, may } = call;
  const { organizationId } = scope;
  const { page_id: pageId } = params;
  const streams = Object.entries(only).map(([category, parameter]): [string, string[]] => [
    category,
    [streamOf(category, params[parameter] ?? '')],
  ]);
  const owner: Owner = {
    organizationId,
    ...(pageId !== undefined && { pageId }),
    ...(streams.length > 0 && { only: Object.fromEntries(streams) }),
  };
  const retained = scope.resultsFrom();
  const from = retained < at ? retained : at;
  const state = call.past.at(owner, at, { results: { read: scope.read, from: retained } });
  const past = {
    ...call,
    ...PAST_CONTEXT,
    query,
    scope: { ...scope, read: state.read, now: at, resultsFrom: () => from },
    may: withoutSecrets(may),
  };
  return { at, state, call: past };
};

const isUnknownIn =
  ({ state, call }: PastCall): IsUnknown =>
  (values, of) =>
    state.isUnknown(values, of === 'organization' ? call.scope.organizationId : of);

const shownAsOf = (
  { confidential = false }: Pick<Route, 'confidential'>,
  answer: RouteResponse,
  past: PastCall,
  asOf: AsOf,
): RouteResponse => {
  const { state, at, call } = past;
  const headers: Record<string, string> = { ...answer.headers };
  const shown = async (): Promise<unknown> => {
    const value = await answer.body?.();
    const named = new Set<string>();
    const options = { named, isUnknown: isUnknownIn(past) };
    const without = value instanceof StreamedJson ? value : withoutUnknown(value, asOf, options);
    if (named.size > 0) headers['Uptrail-Unknown'] = [...named].join(', ');
    // A streamed list has read nothing yet. Streamed lists belong to pages, whose newest event does not depend on the read.
    const last = await state.last();
    if (state.isSettled() && !confidential) {
      headers['Cache-Control'] = FOREVER;
      // Several users of a browser share its cache, and the response depends on the caller. So caches must not reuse the
      // response for other credentials.
      headers['Vary'] = [headers['Vary'], 'Authorization'].filter(Boolean).join(', ');
    }
    headers['Uptrail-As-Of'] = last === null ? at : `${at}; position=${await positionOf(last, call)}`;
    return without;
  };
  return { ...answer, headers, body: shown };
};

const positionOf = ({ position, id }: RecordedEvent, { mac, scope }: AnyCall): Promise<string> =>
  createPositionTokens(mac).encrypt(scope.organizationId, { position, mark: markOf(id) });
