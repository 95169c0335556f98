import type { Request } from 'express';
import type { Logger } from 'pino';
import { acceptsJson } from '../http/accept.ts';
import { answeredError, type Answered } from '../http/answer.ts';
import type { Caller } from './authentication.ts';
import { NO_BYTES, parseBody, readBody } from '../http/body.ts';
import { networkOf } from '../http/client-address.ts';
import { ANSWERED_WITHIN, createDeadline, Overdue } from '../http/deadline.ts';
import { HttpError, methodNotAllowed } from '../http/errors.ts';
import type { Identify } from './identify.ts';
import { once, repeatableRequest, type Claims, type RepeatableRequest } from './idempotency.ts';
import { operationOf, perform, searchOf, type Operation, type PerformDependencies, type Progress } from './perform.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { mayOf, PERMISSIONS } from './permissions.ts';
import type { Route } from './route.ts';
import { sealedAnswers } from './sealed-answers.ts';
import type { Serve } from '../http/serving.ts';

export interface EndpointDependencies extends PerformDependencies {
  identify: Identify;
  rateLimit: RateLimit;
  claims: Claims;
  logger: Logger;
  /** milliseconds; another one than {@link ANSWERED_WITHIN} is for tests */
  answeredWithin?: number;
}

/**
 * Serves all routes of one path, errors included, checking in the order of decisions.md: HTTP rules, Order of checks
 * (that the path is known is the router's matter).
 */
export const createEndpoint = (routes: readonly Route[], dependencies: EndpointDependencies): Serve => {
  const operations = operationsOf(routes);
  const allow = [...operations.keys()].sort().join(', ');
  const { logger, answeredWithin = ANSWERED_WITHIN } = dependencies;

  return async (request, requestId) => {
    const deadline = createDeadline(answeredWithin);
    const progress: Progress = { soFar: nothing };
    let caller: Caller | null = null;
    const failed = (error: unknown): Answered => {
      const answered = answeredError(error);
      if (answered.status >= 500) logger.error({ requestId, err: error }, 'a request failed');
      return answered;
    };
    try {
      const operation = operations.get(request.method);
      if (!operation) throw methodNotAllowed(allow);
      caller = await deadline.within(callerOf(operation.route, request, dependencies));
      refuseAccess(operation.route, caller);
      if (!acceptsJson(request.headers.accept)) throw new HttpError(406, 'Answers are JSON only.');
      const bytes = takesBody(request) ? await readBody(request) : NO_BYTES;
      const repeatable = repeatableOf(request, caller, bytes);
      const answer = async (): Promise<Answered> => {
        deadline.check();
        const admitted = { request, requestId, caller, body: parseBody(bytes), repeatable, progress };
        const answered = await perform(operation, admitted, dependencies);
        progress.soFar = () => answered;
        return answered;
      };
      const keepingAnswer = (repeated: RepeatableRequest): Promise<Answered> =>
        once(
          sealedAnswers(dependencies.claims, dependencies.keys, caller),
          repeated,
          dependencies.clock(),
          operation.route.oneTime ?? [],
          () => answer().catch(failed),
          (error) => {
            logger.warn({ requestId, err: error }, 'the answer to a repeatable request could not be kept');
          },
        );
      return { answered: await deadline.within(repeatable ? keepingAnswer(repeatable) : answer()), caller };
    } catch (error) {
      // What goes on meanwhile does so under the claim of the request, so that a repetition finds it.
      const soFar = error instanceof Overdue ? progress.soFar() : null;
      return { answered: soFar ?? failed(error), caller };
    } finally {
      // Whatever still refers to it then need not keep the answer, and all that was read for it, in memory.
      progress.soFar = nothing;
    }
  };
};

const nothing = (): null => null;

const operationsOf = (routes: readonly Route[]): Map<string, Operation> => {
  const operations = new Map<string, Operation>();
  for (const route of routes) {
    const operation = operationOf(route);
    for (const method of route.methods) {
      const name = method.toUpperCase();
      if (operations.has(name)) throw new Error(`${name} ${route.path} is declared twice.`);
      operations.set(name, operation);
    }
  }
  const get = operations.get('GET');
  if (get) operations.set('HEAD', get);
  return operations;
};

/** @throws HttpError 401, 429 */
const callerOf = async (
  route: Route,
  request: Request,
  { identify, rateLimit }: EndpointDependencies,
): Promise<Caller | null> => {
  const { authorization } = request.headers;
  if ('public' in route.access && authorization === undefined) {
    rateLimit(`address ${networkOf(request.ip ?? '')}`);
    return null;
  }
  const caller = await identify(authorization, request.ip);
  rateLimit(caller.countedAs);
  return caller;
};

/** @throws HttpError 403 */
const refuseAccess = ({ access }: Route, caller: Caller | null): void => {
  if ('public' in access || mayOf(caller?.actor.role ?? null)(access.needs)) return;
  throw new HttpError(403, `This needs an API key of role ${PERMISSIONS[access.needs].join(' or ')}.`);
};

/** A body of GET and HEAD means nothing (RFC 9110, 9.3.1) and is not read. */
const takesBody = ({ method }: Request): boolean => method !== 'GET' && method !== 'HEAD';

const repeatableOf = (request: Request, caller: Caller | null, body: Buffer): RepeatableRequest | null => {
  const { method, path } = request;
  const key = request.headers['idempotency-key'];
  if (key === undefined || !takesBody(request)) return null;
  const askedBy = caller?.countedAs ?? `address ${request.ip ?? ''}`;
  return repeatableRequest(String(key), askedBy, { method, path, search: searchOf(request), body });
};
