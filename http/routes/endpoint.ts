import type { Request } from 'express';
import type { Logger } from 'pino';
import { isPageToken } from '../../domain/page/access-token.ts';
import { instantOf } from '../../domain/time.ts';
import { prepareError, type PreparedResponse } from '../response.ts';
import { authorizationOf, credentialOf } from '../authorization.ts';
import { absentBody, readBody } from '../body.ts';
import { RESPONSE_DEADLINE_MS, createDeadline, Overdue } from '../deadline.ts';
import { errorResponse, HttpError, methodNotAllowed, type ErrorResponse } from '../errors.ts';
import { failureLogOf } from '../failure-log.ts';
import { negotiateType } from '../media/accept-header.ts';
import { isStreamed } from '../media/content.ts';
import type { MediaType } from '../media/media-types.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { ServeRequest } from '../request-handlers.ts';
import type { AcquireSlot } from '../heavy-requests.ts';
import { addressLimitKey, type Caller } from './caller.ts';
import { allowCrossOrigin } from './cross-origin.ts';
import {
  performOnce,
  repeatableRequest,
  withKeyedFingerprint,
  type Claims,
  type RepeatableRequest,
} from './idempotency.ts';
import { inputOf, operationsOf, searchOf, type Operation } from './operation.ts';
import { perform, type PerformDependencies, type RequestProgress } from './perform.ts';
import type { AnyRoute, Surface } from './route.ts';
import { sealedResponses } from './sealed-responses.ts';
import { identifyVisitor } from './visitor.ts';

export interface EndpointDependencies<S extends Surface = Surface> extends PerformDependencies<S> {
  /**
   * Authenticates a caller.
   *
   * @throws HttpError 401, 429
   */
  identify: (authorization: string | undefined, address: string | undefined) => Promise<Caller>;
  /** Returns an error message if the caller lacks a permission, and null if the caller has it. */
  lacks: (permission: string, caller: Caller) => string | null;
  rateLimit: RateLimit;
  claims: Claims;
  /** returns milliseconds since 1970 */
  clock: () => number;
  logger: Logger;
  /** time limit for a response, in milliseconds; default: {@link RESPONSE_DEADLINE_MS} */
  deadlineMs?: number;
  /** limits concurrent heavy requests per organization (http/heavy-requests.ts) */
  acquireSlot: AcquireSlot;
}

/**
 * Creates the function that serves all routes of one path, including errors. The checks are made in the order of
 * docs/reference/errors.md#order-of-checks; the path itself was already matched.
 */
export const createEndpoint = (routes: readonly AnyRoute[], dependencies: EndpointDependencies): ServeRequest => {
  const operations = byMethod(routes);
  const allow = [...operations.keys()].sort().join(', ');
  const [anyOperation] = operations.values();
  const { logger, deadlineMs = RESPONSE_DEADLINE_MS } = dependencies;
  const logFailure = failureLogOf(logger);

  const serve: ServeRequest = async (request, requestId) => {
    const progress: RequestProgress = { soFar: nothing, readBehind: () => false };
    let presence: Presence = ALWAYS_WAITING;
    let isStreaming = false;
    let caller: Caller | null = null;
    const operation = operations.get(request.method);
    const deadline = createDeadline(operation?.route.deadlineMs ?? deadlineMs);
    const failed = (error: unknown): PreparedResponse => {
      const answered = prepareError(
        error,
        errorTypeOf(operation ?? anyOperation, request),
        request.headers['accept-language'],
      );
      if (answered.status >= 500) logFailure({ requestId, status: answered.status, error });
      return answered;
    };
    const refusalOf = (error: unknown): ErrorResponse => {
      const refusal = errorResponse(error);
      if (refusal.status >= 500) logFailure({ requestId, status: refusal.status, error });
      return refusal;
    };
    try {
      if (!operation) throw methodNotAllowed(allow);
      const authenticated = (caller = await deadline.within(callerOf(operation.route, request, dependencies)));
      const { anyHeaders = false } = operation.route;
      if (!anyHeaders) requireKnownExpectation(request);
      const type =
        negotiateType(request.headers.accept, operation.produces) ?? (anyHeaders ? operation.produces[0] : null);
      if (!type) throw notAcceptable(operation);
      const { accepts } = operation;
      const received = takesBody(request)
        ? await readBody(request, accepts, { encoded: anyHeaders })
        : absentBody(accepts);
      const now = instantOf(dependencies.clock());
      const read = onlyOnce(() => inputOf(operation, request, received, now));
      const visit = authenticated
        ? { caller: authenticated, subject: null }
        : await deadline.within(identifyVisitor(operation.route, request, read(), now, dependencies));
      const recognized = repeatableOf(operation, request, visit.caller, received.bytes);
      const { heavy = false, heavyWith } = operation.route;
      if (heavy || (heavyWith !== undefined && read().query[heavyWith] !== undefined)) {
        const { organizationId, limitKey } = visit.caller;
        presence = presenceOf(request);
        const entering = dependencies.acquireSlot(organizationId, limitKey, presence.signal);
        await deadline.within(entering.then(presence.whenOver));
      }
      const isSecret = recognized !== null && operation.route.secretBody === true;
      const repeatable = isSecret ? await withKeyedFingerprint(recognized, dependencies.keys) : recognized;
      const answer = async (): Promise<PreparedResponse> => {
        deadline.check();
        const { caller: by, subject } = visit;
        const { signal } = presence;
        const input = read();
        const admitted = {
          request,
          requestId,
          caller: by,
          subject,
          input,
          now,
          type,
          repeatable,
          progress,
          deadline,
          refusalOf,
          signal,
        };
        const answered = await perform(operation, admitted, dependencies);
        progress.soFar = () => answered;
        return answered;
      };
      const keepingAnswer = (repeated: RepeatableRequest): Promise<PreparedResponse> =>
        performOnce(
          sealedResponses(dependencies.claims, dependencies.keys, visit.caller),
          repeated,
          dependencies.clock(),
          {
            oneTime: operation.route.oneTime ?? [],
            types: operation.produces,
            isCertain: () => !progress.readBehind(),
          },
          () => answer().catch(failed),
          (error) => {
            logger.warn(
              { requestId, err: error },
              'the response to a request with Idempotency-Key could not be stored',
            );
          },
        );
      const answered = await deadline.within(repeatable ? keepingAnswer(repeatable) : answer());
      isStreaming = answered.body !== null && isStreamed(answered.body);
      return { answered, caller };
    } catch (error) {
      // Work in progress continues and keeps its claim on the `Idempotency-Key`. So a repetition of this request gets
      // the result of that work.
      const soFar = error instanceof Overdue ? progress.soFar() : null;
      return { answered: soFar ?? failed(error), caller };
    } finally {
      // Lets the response and the data from which it was made be garbage-collected, even if something still references
      // `progress`.
      progress.soFar = nothing;
      // A streamed response is still in progress here. In this case, `presence` ends when the client has received the
      // response or has disconnected.
      if (!isStreaming) presence.end();
    }
  };
  return routes.some(({ crossOrigin }) => crossOrigin) ? allowCrossOrigin(serve, allow) : serve;
};

const nothing = (): null => null;

/** Tracks whether a client still waits for the response. */
interface Presence {
  /** aborts when no client waits any more */
  signal: AbortSignal;
  /** Marks the response as sent or abandoned. */
  end: () => void;
  /** Calls a function when the response was sent or the client has disconnected. */
  whenOver: (call: () => void) => void;
}

const ALWAYS_WAITING: Presence = {
  signal: new AbortController().signal,
  end: () => undefined,
  whenOver: (call) => {
    call();
  },
};

/**
 * Error for a client that has disconnected. It is never sent. Its status is below 500, so it is not written to the
 * failure log.
 */
const NOBODY_WAITS = new HttpError(408, 'The client has disconnected.');

const presenceOf = ({ res: response }: Request): Presence => {
  const controller = new AbortController();
  const { signal } = controller;
  const calls: (() => void)[] = [];
  const end = (): void => {
    if (signal.aborted) return;
    controller.abort(NOBODY_WAITS);
    for (const call of calls) call();
  };
  if (!response || response.closed) end();
  response?.on('close', end);
  return {
    signal,
    end,
    whenOver: (call) => {
      if (signal.aborted) call();
      else calls.push(call);
    },
  };
};

const byMethod = (routes: readonly AnyRoute[]): Map<string, Operation> => {
  const operations = new Map<string, Operation>();
  for (const [method, operation] of routes.flatMap(operationsOf)) {
    const name = method.toUpperCase();
    if (operations.has(name)) throw new Error(`${name} ${operation.route.path} is declared twice.`);
    operations.set(name, operation);
  }
  const get = operations.get('GET');
  // HEAD is served like GET, but must not change anything (RFC 9110, 9.3.2).
  if (get && (!get.writes || get.route.headWrites)) operations.set('HEAD', get);
  return operations;
};

/**
 * Authenticates the caller. Returns null for a visitor of a public route.
 *
 * @throws HttpError 401, 403, 429
 */
const callerOf = async (
  { access }: AnyRoute,
  request: Request,
  { identify, lacks, rateLimit }: EndpointDependencies,
): Promise<Caller | null> => {
  const authorization = authorizationOf(request);
  const isVisit = authorization === undefined || isPageToken(credentialOf(authorization));
  if ('public' in access && (isVisit || !('key' in access.public))) {
    rateLimit(addressLimitKey(request.ip));
    return null;
  }
  const caller = await identify(authorization, request.ip);
  rateLimit(caller.limitKey);
  const lacking = 'public' in access ? null : lacks(access.needs, caller);
  if (lacking !== null) throw new HttpError(403, lacking);
  return caller;
};

/**
 * Refuses unknown expectations. Node.js handles `100-continue` itself.
 *
 * @throws HttpError 417 (RFC 9110, 10.1.1)
 */
const requireKnownExpectation = ({ headers: { expect } }: Request): void => {
  if (expect === undefined || /\b100-continue\b/i.test(expect)) return;
  // The connection is closed, because the client may or may not send the body after this response.
  throw new HttpError(417, 'The only supported expectation is 100-continue.', { headers: { Connection: 'close' } });
};

const notAcceptable = ({ produces }: Operation): HttpError => {
  const names = produces.map(({ name }) => name);
  const only = names.length === 1 && names[0] === 'application/json' ? 'JSON' : names.join(' or ');
  return new HttpError(406, `This path responds with ${only} only.`);
};

/**
 * Returns the media type for errors: the route's type that the client prefers, or the route's first type if the client
 * accepts none.
 */
const errorTypeOf = (operation: Operation | undefined, { headers }: Request): MediaType | undefined =>
  operation && (negotiateType(headers.accept, operation.produces) ?? operation.produces[0]);

/** Returns whether the body of a request is read. A body of GET and HEAD has no meaning (RFC 9110, 9.3.1). */
const takesBody = ({ method }: Request): boolean => method !== 'GET' && method !== 'HEAD';

const onlyOnce = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

const repeatableOf = (
  { writes, route }: Operation,
  request: Request,
  caller: Caller,
  body: Buffer,
): RepeatableRequest | null => {
  const { method, path } = request;
  const key = request.headers['idempotency-key'];
  if (key === undefined && route.idempotencyKey === 'required') {
    throw new HttpError(
      400,
      'The Idempotency-Key header is required, so that a repeated request has no second effect.',
    );
  }
  if (key === undefined || route.unrepeatable === true || !(writes || takesBody(request))) return null;
  const ifMatch = route.revised && request.headers['if-match'];
  return repeatableRequest(String(key), caller.limitKey, { method, path, search: searchOf(request), ifMatch, body });
};
