import type { Request } from 'express';
import type { Logger } from 'pino';
import { isPageToken } from '../../domain/page/access-token.ts';
import { instantOf } from '../../domain/time.ts';
import { answeredError, type Answered } from '../answer.ts';
import { authorizationOf, keyOf } from '../authorization.ts';
import { absent, readBody } from '../body.ts';
import { ANSWERED_WITHIN, createDeadline, Overdue } from '../deadline.ts';
import { errorAnswer, HttpError, methodNotAllowed, type ErrorAnswer } from '../errors.ts';
import { failureLogOf } from '../failure-log.ts';
import { acceptedOf } from '../media/accept.ts';
import { isStreamed } from '../media/content.ts';
import type { MediaType } from '../media/types.ts';
import type { RateLimit } from '../rate-limit.ts';
import type { Serve } from '../serving.ts';
import type { EnterShare } from '../shares.ts';
import { addressCountedAs, type Caller } from './caller.ts';
import { acrossOrigins } from './cross-origin.ts';
import { once, repeatableRequest, underKey, type Claims, type RepeatableRequest } from './idempotency.ts';
import { inputOf, operationsOf, searchOf, type Operation } from './operation.ts';
import { perform, type PerformDependencies, type Progress } from './perform.ts';
import type { AnyRoute, Surface } from './route.ts';
import { sealedAnswers } from './sealed-answers.ts';
import { visitorOf } from './visitor.ts';

export interface EndpointDependencies<S extends Surface = Surface> extends PerformDependencies<S> {
  /** Finds who shows a key, and from where. @throws HttpError 401, 429 */
  identify: (authorization: string | undefined, address: string | undefined) => Promise<Caller>;
  /** A sentence about the right that a caller lacks for a route; null when it lacks nothing. */
  lacks: (permission: string, caller: Caller) => string | null;
  rateLimit: RateLimit;
  claims: Claims;
  /** milliseconds since 1970 */
  clock: () => number;
  logger: Logger;
  /** milliseconds; tests use another one than {@link ANSWERED_WITHIN} */
  answeredWithin?: number;
  /** divides heavy requests among organizations; default: by the limits of http/shares.ts */
  enterShare: EnterShare;
}

/**
 * Serves all routes of one path, errors included, checking in the order of decisions.md: HTTP rules, Order of checks
 * (the router checks that the path is known).
 */
export const createEndpoint = (routes: readonly AnyRoute[], dependencies: EndpointDependencies): Serve => {
  const operations = byMethod(routes);
  const allow = [...operations.keys()].sort().join(', ');
  const [anyOperation] = operations.values();
  const { logger, answeredWithin = ANSWERED_WITHIN } = dependencies;
  const logFailure = failureLogOf(logger);

  const serve: Serve = async (request, requestId) => {
    const progress: Progress = { soFar: nothing, readBehind: () => false };
    let presence: Presence = ALWAYS;
    let isStreaming = false;
    let caller: Caller | null = null;
    const operation = operations.get(request.method);
    const deadline = createDeadline(operation?.route.answersWithin ?? answeredWithin);
    const failed = (error: unknown): Answered => {
      const answered = answeredError(
        error,
        toldIn(operation ?? anyOperation, request),
        request.headers['accept-language'],
      );
      if (answered.status >= 500) logFailure({ requestId, status: answered.status, error });
      return answered;
    };
    const refusalOf = (error: unknown): ErrorAnswer => {
      const refusal = errorAnswer(error);
      if (refusal.status >= 500) logFailure({ requestId, status: refusal.status, error });
      return refusal;
    };
    try {
      if (!operation) throw methodNotAllowed(allow);
      const shown = (caller = await deadline.within(callerOf(operation.route, request, dependencies)));
      const { anyHeaders = false } = operation.route;
      if (!anyHeaders) requireKnownExpectation(request);
      const type =
        acceptedOf(request.headers.accept, operation.produces) ?? (anyHeaders ? operation.produces[0] : null);
      if (!type) throw notAcceptable(operation);
      const { accepts } = operation;
      const received = takesBody(request) ? await readBody(request, accepts, { encoded: anyHeaders }) : absent(accepts);
      const now = instantOf(dependencies.clock());
      const read = onlyOnce(() => inputOf(operation, request, received, now));
      const asked = shown
        ? { caller: shown, subject: null }
        : await deadline.within(visitorOf(operation.route, request, read(), now, dependencies));
      const recognized = repeatableOf(operation, request, asked.caller, received.bytes);
      if (operation.route.heavy === true) {
        const { organizationId, countedAs } = asked.caller;
        presence = presenceOf(request);
        const entering = dependencies.enterShare(organizationId, countedAs, presence.signal);
        await deadline.within(entering.then(presence.whenOver));
      }
      const isSecret = recognized !== null && operation.route.secretBody === true;
      const repeatable = isSecret ? await underKey(recognized, dependencies.keys) : recognized;
      const answer = async (): Promise<Answered> => {
        deadline.check();
        const { caller: by, subject } = asked;
        const { signal } = presence;
        const input = read();
        const asking = {
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
        const answered = await perform(operation, asking, dependencies);
        progress.soFar = () => answered;
        return answered;
      };
      const keepingAnswer = (repeated: RepeatableRequest): Promise<Answered> =>
        once(
          sealedAnswers(dependencies.claims, dependencies.keys, asked.caller),
          repeated,
          dependencies.clock(),
          {
            oneTime: operation.route.oneTime ?? [],
            types: operation.produces,
            isCertain: () => !progress.readBehind(),
          },
          () => answer().catch(failed),
          (error) => {
            logger.warn({ requestId, err: error }, 'the answer to a repeatable request could not be kept');
          },
        );
      const answered = await deadline.within(repeatable ? keepingAnswer(repeatable) : answer());
      isStreaming = answered.body !== null && isStreamed(answered.body);
      return { answered, caller };
    } catch (error) {
      // Work that goes on meanwhile does so under the claim of the request, so that a repetition finds it.
      const soFar = error instanceof Overdue ? progress.soFar() : null;
      return { answered: soFar ?? failed(error), caller };
    } finally {
      // So remaining references to it do not keep the answer, and all that was read for it, in memory.
      progress.soFar = nothing;
      // One that is streamed is in progress until its client has it, or is gone.
      if (!isStreaming) presence.end();
    }
  };
  return routes.some(({ crossOrigin }) => crossOrigin) ? acrossOrigins(serve, allow) : serve;
};

const nothing = (): null => null;

/** Whether somebody waits for an answer. */
interface Presence {
  /** aborted when nobody does any more */
  signal: AbortSignal;
  /** Ends it: the answer was given, or given up. */
  end: () => void;
  /** Calls once the answer was sent, or its client has left. */
  whenOver: (call: () => void) => void;
}

const ALWAYS: Presence = {
  signal: new AbortController().signal,
  end: () => undefined,
  whenOver: (call) => {
    call();
  },
};

/** Nobody gets this answer, and it is no failure that is worth a line of the log. */
const NOBODY_WAITS = new HttpError(408, 'Nobody waits for the answer any more.');

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
  // HEAD asks what GET would answer, and must change nothing (RFC 9110, 9.3.2).
  if (get && (!get.writes || get.route.headWrites)) operations.set('HEAD', get);
  return operations;
};

/** Who has shown a key; null for a visitor of a public route. @throws HttpError 401, 403, 429 */
const callerOf = async (
  { access }: AnyRoute,
  request: Request,
  { identify, lacks, rateLimit }: EndpointDependencies,
): Promise<Caller | null> => {
  const authorization = authorizationOf(request);
  const isVisit = authorization === undefined || isPageToken(keyOf(authorization));
  if ('public' in access && (isVisit || !('key' in access.public))) {
    rateLimit(addressCountedAs(request.ip));
    return null;
  }
  const caller = await identify(authorization, request.ip);
  rateLimit(caller.countedAs);
  const lacking = 'public' in access ? null : lacks(access.needs, caller);
  if (lacking !== null) throw new HttpError(403, lacking);
  return caller;
};

/** Node.js answers `100-continue` by itself. @throws HttpError 417 (RFC 9110, 10.1.1) */
const requireKnownExpectation = ({ headers: { expect } }: Request): void => {
  if (expect === undefined || /\b100-continue\b/i.test(expect)) return;
  // A client that waits for an answer to its expectation may or may not send the body then.
  throw new HttpError(417, 'No expectation but 100-continue is known.', { headers: { Connection: 'close' } });
};

const notAcceptable = ({ produces }: Operation): HttpError => {
  const names = produces.map(({ name }) => name);
  const only = names.length === 1 && names[0] === 'application/json' ? 'JSON' : names.join(' or ');
  return new HttpError(406, `Answers are ${only} only.`);
};

/** The type in which an error is presented: one that the client takes, else the first. */
const toldIn = (operation: Operation | undefined, { headers }: Request): MediaType | undefined =>
  operation && (acceptedOf(headers.accept, operation.produces) ?? operation.produces[0]);

/** A body of GET and HEAD means nothing (RFC 9110, 9.3.1) and is not read. */
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
    throw new HttpError(400, 'An Idempotency-Key header is needed, so that a repeated request does nothing twice.');
  }
  if (key === undefined || route.unrepeatable === true || !(writes || takesBody(request))) return null;
  const ifMatch = route.revised && request.headers['if-match'];
  return repeatableRequest(String(key), caller.countedAs, { method, path, search: searchOf(request), ifMatch, body });
};
