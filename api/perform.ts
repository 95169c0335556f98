import { Type, type TSchema } from '@sinclair/typebox';
import type { Request } from 'express';
import { randomUUID } from 'node:crypto';
import { commandContext, derivedUuid, type CommandContext } from '../commands/context.ts';
import type { Commands } from '../commands/index.ts';
import { Invalid, NotFound } from '../domain/errors.ts';
import type { Actor } from '../domain/event.ts';
import { escaped, unescapedText } from '../domain/sealed.ts';
import { instantOf, type Instant } from '../domain/time.ts';
import type { Readers } from '../projections/engine/readers.ts';
import { ReadModelLate, ReadModelUnavailable } from '../projections/readers.ts';
import { ReadStoreUnavailable } from '../stores/read-store/port.ts';
import { CoordinationUnavailable } from '../stores/coordination/port.ts';
import { KeysUnavailable, type Keys } from '../stores/keys/port.ts';
import type { Answered } from '../http/answer.ts';
import type { Caller } from './authentication.ts';
import type { ParsedBody } from '../http/body.ts';
import type { SealClient } from './client.ts';
import type { RepeatableRequest } from './idempotency.ts';
import { mayOf } from './permissions.ts';
import { writes, type Answer, type Route } from './route.ts';
import { MOST_FIELDS, type Sentences } from '../http/sentences.ts';
import { compile, compileBody, compileQuery, type QueryReader, type Validate } from './validate.ts';

export interface PerformDependencies {
  commands: Commands;
  readers: Readers;
  keys: Keys;
  sealClient: SealClient;
  /** the first instant whose results are shown */
  resultsFrom: () => Instant;
  /** milliseconds since 1970 */
  clock: () => number;
}

/**
 * A route with its validators, ready to be performed. They are compiled when first asked for: all of
 * them together take longer than the rest of a start.
 */
export interface Operation {
  route: Route;
  writes: boolean;
  /** each null where the route declares none */
  params: () => Validate | null;
  query: () => QueryReader | null;
  body: () => Validate | null;
}

export const operationOf = (route: Route): Operation => ({
  route,
  writes: writes(route),
  params: compiledOnce(route.params, compile),
  query: compiledOnce(route.query, compileQuery),
  body: compiledOnce(route.body, compileBody),
});

const compiledOnce = <T>(schema: TSchema | undefined, make: (schema: TSchema) => T): (() => T | null) => {
  let made: T | null = null;
  return () => (made ??= schema ? make(schema) : null);
};

/** A request whose caller and form are in order. */
export interface Admitted {
  request: Request;
  requestId: string;
  /** null on a route that needs no key, called without one */
  caller: Caller | null;
  body: ParsedBody;
  repeatable: RepeatableRequest | null;
  progress: Progress;
}

/** How far a request has come, for a caller who can't be let wait any longer. */
export interface Progress {
  /** The answer as far as there is one: the one that is being kept, or that what was asked for is stored; else null. */
  soFar: () => Answered | null;
}

/**
 * Does what a request asks: query 400, path 404, body 422, then the route itself.
 *
 * @throws whatever is wrong, for http/errors.ts to say
 */
export const perform = async (
  operation: Operation,
  admitted: Admitted,
  dependencies: PerformDependencies,
): Promise<Answered> => {
  const { route } = operation;
  const { request, caller, body, progress } = admitted;
  const query = queryOf(operation, request);
  route.requireQuery?.(query, instantOf(dependencies.clock()));
  const params = request.params as Record<string, string>;
  if (operation.params()?.(params)) throw new NotFound('Not found.');
  const context = await contextOf(operation, admitted, dependencies);
  const { commands, readers, keys, resultsFrom } = dependencies;
  const may = mayOf(caller?.actor.role ?? null);
  const clientAddress = request.ip ?? null;
  const { organizationId, now } = context;
  const read = readers.for(context);
  const scope = { read, organizationId, now, resultsFrom, keys };
  const call = { params, query, context, scope, read, resultsFrom, keys, may, clientAddress };
  const found = route.find && (await route.find(call));
  await refuseBrokenFields(operation, body, { ...call, found });

  let answer: Answer | null = null;
  progress.soFar = () => (context.appended.size > 0 ? late(answer, request, params) : null);
  try {
    answer = await route.handle({ ...call, body: route.body ? escaped(body.value) : {}, commands, found });
    if (route.waitsFor && context.appended.size > 0) await dependencies.readers.waitFor(route.waitsFor, context);
    const shown = answer.body ? await answer.body() : undefined;
    return {
      status: answer.status,
      headers: {
        ...(answer.location !== undefined && { Location: answer.location }),
        ...(request.method === 'GET' || request.method === 'HEAD' ? { 'Cache-Control': cachingOf(route, caller) } : {}),
      },
      body: shown === undefined ? null : unescapedText(shown),
    };
  } catch (error) {
    if (isLate(error, context)) return late(answer, request, params);
    throw error;
  }
};

/** A copy may be kept by whom it was made for, who asks each time whether it is still good (`If-None-Match`). */
const cachingOf = ({ confidential = false }: Route, caller: Caller | null): string =>
  confidential ? 'no-store' : caller ? 'private, no-cache' : 'no-cache';

const queryOf = (operation: Operation, request: Request): Record<string, unknown> => {
  const query = operation.query();
  if (!query) return {};
  const { query: values, broken } = query.read(searchOf(request));
  if (broken) throw new Invalid({ query: broken }, 'The query is not valid.');
  return values;
};

/** What follows the question mark; empty without one. */
export const searchOf = (request: Request): string => {
  const mark = request.url.indexOf('?');
  return mark === -1 ? '' : request.url.slice(mark + 1);
};

/**
 * What a body's schema and its route's own rules refuse, by field; null when nothing.
 *
 * @throws Invalid objects in the body have too many fields to be looked at
 */
export const brokenFields = (operation: Operation, body: ParsedBody, found: unknown): Sentences | null => {
  const validate = operation.body();
  if (!validate) return null;
  const { value, unstorable, crowded } = body;
  if (crowded) throw new Invalid({ json: crowded });
  const broken = validate(value);
  const more = operation.route.refuse?.(found, value) ?? null;
  return (broken ?? more ?? unstorable) ? { ...unstorable, ...more, ...broken } : null;
};

/** @throws Invalid naming every broken field, those of the command's own rules included */
const refuseBrokenFields = async (operation: Operation, body: ParsedBody, call: Asked): Promise<void> => {
  const broken = brokenFields(operation, body, call.found);
  if (!broken) return;
  const { value } = body;
  // Where more is wrong already than an answer names, nothing further is asked.
  const asksMore = isFields(value) && Object.keys(broken).length <= MOST_FIELDS;
  const also = asksMore ? await operation.route.alsoRefused?.({ ...call, body: value }) : undefined;
  throw new Invalid({ json: { ...also, ...broken } });
};

type Asked = Omit<Parameters<NonNullable<Route['alsoRefused']>>[0], 'body'>;

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const ANYBODY: Actor = { kind: 'system', id: 'public', role: null };

const contextOf = async (
  operation: Operation,
  { request, requestId, caller, repeatable }: Admitted,
  { sealClient, clock }: PerformDependencies,
): Promise<CommandContext> =>
  commandContext({
    actor: caller?.actor ?? ANYBODY,
    organizationId: caller?.organizationId ?? '',
    correlationId: requestId,
    commandId: repeatable ? derivedUuid(repeatable.commandName) : randomUUID(),
    repeatable: repeatable !== null,
    now: instantOf(clock()),
    ...(operation.writes && caller && (await sealClient(caller, request))),
  });

/** The write is done and only what shows it is missing: late, being built, or a store does not answer. */
const isLate = (error: unknown, context: CommandContext): error is Error =>
  error instanceof ReadModelLate ||
  (context.appended.size > 0 && UNAVAILABLE.some((Unavailable) => error instanceof Unavailable));

const UNAVAILABLE = [ReadModelUnavailable, ReadStoreUnavailable, CoordinationUnavailable, KeysUnavailable];

const LATE = 'The change is stored; its read model is late and will show it soon.';

/** Body of the 202 of a late read model (decisions.md: HTTP rules). */
export const LateBody = Type.Object(
  { id: Type.Union([Type.String(), Type.Null()]), message: Type.String() },
  { title: 'Late' },
);

const late = (answer: Answer | null, request: Request, params: Record<string, string>): Answered => ({
  status: 202,
  headers: { Location: answer?.location ?? request.path },
  body: JSON.stringify({ id: answer?.id ?? Object.values(params).at(-1) ?? null, message: LATE }),
});
