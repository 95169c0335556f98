import { Type } from '@sinclair/typebox';
import type { Request } from 'express';
import { randomUUID } from 'node:crypto';
import { isFields } from '../../domain/fields.ts';
import { Invalid } from '../../domain/errors.ts';
import type { Actor } from '../../domain/event.ts';
import { derivedUuid } from '../../domain/identity.ts';
import type { Precondition } from '../../domain/revision.ts';
import { escaped } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';
import type { ReadContext, Readers } from '../../projections/engine/readers.ts';
import { DocumentSetAside, ReadModelLate, ReadModelUnavailable } from '../../projections/readers.ts';
import { CoordinationUnavailable } from '../../stores/coordination/port.ts';
import { KeysUnavailable, type Keys } from '../../stores/keys/port.ts';
import { ReadStoreUnavailable } from '../../stores/read-store/port.ts';
import type { PreparedResponse } from '../response.ts';
import { authorizationOf, credentialOf } from '../authorization.ts';
import type { Deadline } from '../deadline.ts';
import { streamedJsonOf, StreamedJson, contentOfJson } from '../streamed-json.ts';
import type { ErrorResponse } from '../errors.ts';
import { isFile, type Content } from '../media/content.ts';
import type { ParsedBody } from '../media/json-body.ts';
import { JSON_TYPE, type MediaType } from '../media/media-types.ts';
import { reasonOf } from '../reasons.ts';
import { MAX_REPORTED_FIELDS, type FieldMessages } from '../validation-messages.ts';
import { isVisitor, type Caller, type Credentials } from './caller.ts';
import type { SealedOrigin, SealOrigin } from './request-origin.ts';
import { fileResponse } from './file-response.ts';
import type { RepeatableRequest } from './idempotency.ts';
import { preconditionOf, revisedTag } from './if-match.ts';
import { bodyErrors, type RequestInput, type Operation } from './operation.ts';
import type { RouteResponse, AnyRoute, Surface } from './route.ts';
import { SentRequest } from './sent-request.ts';

/** The data of a request that commands need. */
export interface RouteRequest extends SealedOrigin {
  actor: Actor;
  caller: Credentials;
  organizationId: string;
  correlationId: string;
  commandId: string;
  /** whether the request has an `Idempotency-Key`, so that a client may repeat it */
  repeatable: boolean;
  now: Instant;
  /**
   * Must be called before further work starts.
   *
   * @throws Overdue
   */
  checkDeadline: () => void;
  /** the parsed `If-Match` of the request; undefined: none */
  precondition?: Precondition | undefined;
}

export interface PerformDependencies<S extends Surface = Surface> {
  /** creates the arguments of handlers that are specific to the surface */
  createHandlerContext: (request: RouteRequest) => S['given'] & S['writing'];
  readers: Readers;
  /** Applies the revocations in the appended events. Called before the response is sent (api/revocations.ts). */
  applyRevocations: (appended: ReadContext['appended']) => Promise<void>;
  keys: Keys;
  sealClient: SealOrigin;
}

/** A request with a known caller and valid syntax. */
export interface AdmittedRequest {
  request: Request;
  requestId: string;
  caller: Caller;
  /** the subject of a signed link; null: none */
  subject: string | null;
  input: RequestInput;
  now: Instant;
  /** the media type for the response, which the client accepts */
  type: MediaType;
  repeatable: RepeatableRequest | null;
  progress: RequestProgress;
  deadline: Pick<Deadline, 'check' | 'remaining'>;
  /** Returns the error response for one part of a request. Unexpected errors are logged. */
  refusalOf: (error: unknown) => ErrorResponse;
  /** aborts when no client waits for the response any more */
  signal: AbortSignal;
}

/** The progress of a request. It determines the response if the deadline passes. */
export interface RequestProgress {
  /** Returns the finished response, or a 202 response if the change is stored. Returns null otherwise. */
  soFar: () => PreparedResponse | null;
  /** Returns whether a read model lacked events of its log when it was read, so that the response may be outdated. */
  readBehind: () => boolean;
}

/**
 * Performs a request: checks the path (404) and the body (422), and calls the handler of the route.
 *
 * @throws any error; http/errors.ts converts it to a response
 */
export const perform = async (
  operation: Operation,
  admitted: AdmittedRequest,
  dependencies: PerformDependencies,
): Promise<PreparedResponse> => {
  const { route } = operation;
  const { request, caller, subject, input, type, progress, signal } = admitted;
  const { params, query, body } = input;
  const seals = operation.writes && caller.organizationId !== '';
  const client = seals ? await dependencies.sealClient(caller, request, admitted.now) : null;
  const precondition =
    operation.writes && route.revised ? preconditionOf(request.headers['if-match'], route.revised(params)) : undefined;
  const given = dependencies.createHandlerContext(routeRequestOf(admitted, client, precondition));
  const { context } = given;
  progress.readBehind = () => context.readBehind === true;
  // `find`, `alsoRefused` and `handle` get the same object, which is extended in place. A new object literal with a
  // spread would be slower: V8 creates a new hidden class for each field that follows a spread, which takes about a
  // microsecond each (Node.js 20).
  const later: { found: unknown; body: unknown } = { found: undefined, body: {} };
  const call = Object.assign(given, later, {
    params,
    query,
    clientAddress: request.ip ?? null,
    credential: credentialOf(authorizationOf(request)),
    sent: new SentRequest(request),
    sealedFor: (who: Pick<Caller, 'actor' | 'organizationId'>) => dependencies.sealClient(who, request, admitted.now),
    subject,
    type,
    remaining: admitted.deadline.remaining,
    errorResponseOf: admitted.refusalOf,
    signal,
  });
  if (route.find) call.found = await route.find(call).catch(unlessDeleted(request));
  const broken = bodyErrors(operation, body, call.found);
  if (broken) await refuseBrokenFields(operation, body, broken, call);
  if (route.body) call.body = storable(body.value);

  let answer: RouteResponse | null = null;
  const lateNow = (): PreparedResponse => late(answer, request, context.newIds?.[0] ?? null, params, type);
  progress.soFar = () => (context.appended.size > 0 ? lateNow() : null);
  try {
    try {
      answer = await route.handle(call);
    } finally {
      // Revocations are also applied if the handler failed after it appended events.
      if (context.appended.size > 0) await dependencies.applyRevocations(context.appended);
    }
    if (route.waitsFor && context.appended.size > 0) await dependencies.readers.waitFor(route.waitsFor, context);
    const shown = answer.body ? await answer.body() : undefined;
    const shownAs = answer.type ?? type;
    const headers = headersOf(operation, answer, request, caller);
    const answered: PreparedResponse = {
      status: answer.status,
      headers,
      body: null,
      type: shownAs,
      once: operation.writes,
    };
    if (answer.tag !== undefined) answered.tag = answer.tag;
    if (answer.security) answered.security = answer.security;
    if (answer.cookies) answered.cookies = answer.cookies;
    if (answer.incomplete) answered.incomplete = true;
    const parted = partsOf(shown, shownAs, route);
    if (parted) {
      const { content, tag } = await contentOfJson(parted, request.headers['if-none-match']);
      answered.body = content;
      if (tag !== undefined) answered.tag = tag;
      return answered;
    }
    const content = shown === undefined ? null : shownAs.encode(shown);
    if (content !== null && isFile(content)) return fileResponse(request, content, answered);
    const tag = route.revised && isHashed(content) ? revisedTag(shown, content) : undefined;
    if (tag !== undefined) answered.tag = tag;
    answered.body = content;
    return answered;
  } catch (error) {
    if (isLate(error, context)) return lateNow();
    throw error;
  }
};

const isHashed = (content: Content | null): content is string | Uint8Array =>
  typeof content === 'string' || content instanceof Uint8Array;

/** Returns the body in parts if it may be long; null if the body is to be encoded as a whole. */
const partsOf = (shown: unknown, type: MediaType, { heavy = false }: AnyRoute): StreamedJson | null => {
  if (shown instanceof StreamedJson) return shown;
  return heavy && type === JSON_TYPE && shown !== undefined ? streamedJsonOf(shown) : null;
};

/**
 * Returns an error handler that lets a DELETE proceed although the read model has set aside the document of the
 * resource. The command itself checks whether the resource exists.
 */
const unlessDeleted =
  ({ method }: Pick<Request, 'method'>) =>
  (error: unknown): undefined => {
    if (error instanceof DocumentSetAside && method === 'DELETE') return;
    throw error;
  };

const headersOf = (
  { route, writes, produces }: Operation,
  { location, headers: further }: RouteResponse,
  request: Request,
  caller: Caller,
): Record<string, string> => {
  const { method } = request;
  const headers: Record<string, string> = {};
  if (location !== undefined) headers['Location'] = location;
  if (!writes && (method === 'GET' || method === 'HEAD')) headers['Cache-Control'] = cachingOf(route, caller, request);
  // The media type of the response depends on `Accept`.
  if (produces.length > 1) headers['Vary'] = 'Accept';
  return further ? Object.assign(headers, further) : headers;
};

/**
 * Returns the value of `Cache-Control` for reads. Clients may cache responses but must revalidate them
 * (`If-None-Match`).
 */
const cachingOf = ({ confidential = false }: AnyRoute, caller: Caller, request: Request): string => {
  if (confidential) return 'no-store';
  // A visitor with a token may see more than other visitors.
  const isForAll = isVisitor(caller.actor) && authorizationOf(request) === undefined;
  return isForAll ? 'no-cache' : 'private, no-cache';
};

/** Escapes a body for storage. Bytes stay unchanged. */
const storable = (value: unknown): unknown => (value instanceof Uint8Array ? value : escaped(value));

/**
 * Refuses a request with invalid fields.
 *
 * @throws Invalid contains every invalid field, including those that the command would refuse
 */
const refuseBrokenFields = async (
  operation: Operation,
  { value }: ParsedBody,
  broken: FieldMessages,
  call: object & { found: unknown },
): Promise<never> => {
  // If the errors already exceed what a response can contain, the rules of the command are not applied.
  const asksMore = isFields(value) && Object.keys(broken).length <= MAX_REPORTED_FIELDS;
  const also = asksMore ? await operation.route.alsoRefused?.({ ...call, body: value }) : undefined;
  throw new Invalid({ json: { ...also, ...broken } });
};

const routeRequestOf = (
  { requestId, caller, repeatable, now, deadline }: AdmittedRequest,
  client: SealedOrigin | null,
  precondition: Precondition | undefined,
): RouteRequest => ({
  actor: caller.actor,
  caller: { userId: caller.userId, sessionId: caller.sessionId, keyId: caller.keyId },
  organizationId: caller.organizationId,
  correlationId: requestId,
  commandId: repeatable ? derivedUuid(repeatable.commandName) : randomUUID(),
  repeatable: repeatable !== null,
  now,
  checkDeadline: deadline.check,
  precondition,
  ...client,
});

/** Returns whether the change was stored, but its read model is late, being built or unavailable. */
const isLate = (error: unknown, { appended }: ReadContext): error is Error =>
  error instanceof ReadModelLate ||
  (appended.size > 0 && UNAVAILABLE.some((Unavailable) => error instanceof Unavailable));

const UNAVAILABLE = [ReadModelUnavailable, ReadStoreUnavailable, CoordinationUnavailable, KeysUnavailable];

const LATE = 'The change is stored; its read model is late and will show it soon.';

/** Body of the 202 response for a late read model (docs/reference/requests.md#late-read-models). */
export const LateBody = Type.Object(
  { id: Type.Union([Type.String(), Type.Null()]), message: Type.String() },
  { title: 'Late' },
);

/**
 * Creates the response to a change that is stored but cannot be shown yet. If the media type can render errors, the
 * response has this type.
 *
 * @param newId the id of the created resource; null: nothing was created, or the id is unknown
 */
const late = (
  answer: RouteResponse | null,
  { method, path, headers }: Request,
  newId: string | null,
  params: Record<string, string>,
  type: MediaType,
): PreparedResponse => ({
  status: 202,
  headers: { Location: answer?.location ?? path },
  ...(answer?.incomplete && { incomplete: true }),
  ...(type.renderError
    ? {
        body: type.renderError(
          { code: 202, status: reasonOf(202), message: LATE, errors: {} },
          headers['accept-language'],
        ),
        type,
      }
    : {
        body: JSON.stringify({
          id: answer?.id ?? (method === 'POST' ? newId : null) ?? Object.values(params).at(-1) ?? null,
          message: LATE,
          ...answer?.late,
        }),
      }),
});
