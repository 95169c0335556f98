import type { Request } from 'express';
import { NotFound } from '../../domain/errors.ts';
import { verifyToken, type Mac } from '../../domain/signed-token.ts';
import type { Instant } from '../../domain/time.ts';
import { authorizationOf, credentialOf } from '../authorization.ts';
import { HttpError } from '../errors.ts';
import { visitor, type Caller } from './caller.ts';
import { searchOf, type RequestInput } from './operation.ts';
import type { PerformDependencies } from './perform.ts';
import type { AnyRoute } from './route.ts';

/** Name of the parameter that carries the token of a signed link. */
export const TOKEN_PARAMETER = 'token';

const NOTHING_APPENDED = { appended: new Map<string, bigint>() };

/** A visitor of a public route, and the subject of the signed link if there is one. */
export interface Visit {
  caller: Caller;
  subject: string | null;
}

/**
 * Determines the organization that a visitor's request belongs to.
 *
 * @throws NotFound the path names no resource, or a resource that visitors may not see
 * @throws HttpError 403 the signed link is invalid or has expired
 */
export const identifyVisitor = async (
  { access }: AnyRoute,
  request: Request,
  { params, query }: RequestInput,
  now: Instant,
  { readers, keys }: Pick<PerformDependencies, 'readers' | 'keys'>,
): Promise<Visit> => {
  if (!('public' in access)) throw new Error('Only a public route has visitors.');
  const mac: Mac = (kind, text) => keys.fingerprint(kind, text);
  if ('link' in access.public) {
    const token = new URLSearchParams(searchOf(request)).get(TOKEN_PARAMETER) ?? '';
    const link = await verifyToken(token, access.public.link, now, mac);
    if (!link) throw new HttpError(403, 'This link is invalid or has expired.');
    return { caller: visitor(link.organizationId, request.ip), subject: link.subject };
  }
  const { tenant } = access.public;
  if (!tenant) return { caller: visitor(null, request.ip), subject: null };
  const read = readers.for(NOTHING_APPENDED);
  const credential = credentialOf(authorizationOf(request));
  const scope = { query, read, clientAddress: request.ip ?? null, credential, now, mac };
  const organizationId = await tenant(params, scope);
  if (organizationId === null) throw new NotFound('Not found.');
  return { caller: visitor(organizationId, request.ip), subject: null };
};
