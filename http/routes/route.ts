import type { Static, TSchema } from '@sinclair/typebox';
import type { Revised } from '../../domain/revision.ts';
import type { Mac } from '../../domain/signed-token.ts';
import type { Instant } from '../../domain/time.ts';
import type { ReadContext } from '../../projections/engine/readers.ts';
import type { Read } from '../../projections/readers.ts';
import { JSON_BODY, type BodyType } from '../media/body-types.ts';
import { JSON_TYPE, type MediaType } from '../media/media-types.ts';
import type { ErrorResponse } from '../errors.ts';
import type { FieldMessages } from '../validation-messages.ts';
import type { Caller } from './caller.ts';
import type { SentRequest } from './sent-request.ts';
import type { SealedOrigin } from './request-origin.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Types shared by the routes of one surface, such as the API under `/v1` or the status pages. */
export interface Surface {
  /** names of permissions */
  permission: string;
  /** arguments of all functions of a route, including read access */
  given: HandlerContext;
  /** arguments of `handle` only: write access */
  writing: object;
}

export interface HandlerContext {
  context: ReadContext;
}

/** The validated content of a request. */
export interface RequestContent<P, Q, B> {
  params: P;
  query: Q;
  /** without fields that are not in the schema; `{}` without a body */
  body: B;
  /** null: unknown */
  clientAddress: string | null;
  /** the value of `Authorization`; authenticated only if the route needs a permission */
  credential: string | null;
  /** the raw request */
  sent: SentRequest;
  /** Encrypts the origin of the request for an organization that only the handler determines. */
  sealedFor: (who: Pick<Caller, 'actor' | 'organizationId'>) => Promise<SealedOrigin>;
  /** the subject of a signed link; null: none */
  subject: string | null;
  /** the media type of `produces` that the client prefers */
  type: MediaType;
  /** milliseconds until the deadline */
  remaining: () => number;
  /** The response to an error of a part of the request; unexpected errors are logged like those of a whole request. */
  errorResponseOf: (error: unknown) => ErrorResponse;
  /** for `heavy` routes: aborted when no client waits for the response any more; otherwise never aborted */
  signal: AbortSignal;
}

export type Call<S extends Surface, P, Q, B> = RequestContent<P, Q, B> & S['given'] & S['writing'];

/** The arguments of checks before the handler: without body and write access. */
type CheckCall<S extends Surface, P, Q> = Omit<RequestContent<P, Q, never>, 'body'> & S['given'];

/** The arguments for finding the organization of a public route. */
export interface TenantScope<Q> {
  query: Q;
  read: Read;
  clientAddress: string | null;
  /** the value of `Authorization` */
  credential: string | null;
  now: Instant;
  /** verifies signatures of tokens */
  mac: Mac;
}

/** Finds the organization that a path belongs to; null: the path names nothing, or nothing visible to visitors. */
export type FindTenant<P, Q> = (params: P, scope: TenantScope<Q>) => Promise<string | null>;

/** How a route is called without a key. */
export type PublicAccess<P, Q> =
  | {
      /** finds the organization of the path; null: the route belongs to no organization */
      tenant: FindTenant<P, Q> | null;
      /** whether a key may be sent: then its owner is the caller, and an invalid key is refused */
      key?: 'optional';
    }
  | {
      /** purpose of the signed link that is required (domain/signed-token.ts); the link contains the organization */
      link: string;
    };

/** Who may call a route: callers with a permission, or everybody. */
export type Access<Permission extends string, P, Q> = { needs: Permission } | { public: PublicAccess<P, Q> };

/**
 * The response of a route. `body` is called after the command, so that a late read model (ReadModelLate) results in 202
 * with `location` and `id` (docs/reference/requests.md#late-read-models).
 */
export interface RouteResponse {
  status: number;
  location?: string;
  id?: string;
  /** media type, if the request selects it by other means than `Accept` */
  type?: MediaType;
  /** further headers; `Cache-Control` replaces the default */
  headers?: Readonly<Record<string, string>>;
  /** values of `Set-Cookie`, one header each */
  cookies?: readonly string[];
  /** security headers instead of those of the media type (http/security-headers.ts) */
  security?: readonly string[];
  /** `ETag` of the body, instead of its hash */
  tag?: string;
  /** additional fields of the 202 for a late read model */
  late?: Readonly<Record<string, unknown>>;
  /**
   * whether a part of the request failed temporarily: the response is not stored for an `Idempotency-Key`, so that a
   * repetition retries that part and finds the rest done
   */
  incomplete?: boolean;
  /** the unencoded body: any value for JSON, otherwise text, bytes or a stream (http/media/content.ts) */
  body?: () => unknown;
}

/** 200. For a late read model, `location` is the path of the request and `id` its last parameter. */
export const ok = (body: () => unknown): RouteResponse => ({ status: 200, body });

/** 201 with `Location`. */
export const created = (location: string, id: string, body: () => unknown): RouteResponse => ({
  status: 201,
  location,
  id,
  body,
});

/** 202: accepted, to be performed later (on-demand runs, reports). */
export const accepted = (location: string, id: string, body: () => unknown): RouteResponse => ({
  status: 202,
  location,
  id,
  body,
});

/** 204, with no body. */
export const noContent = (): RouteResponse => ({ status: 204 });

/** 303: redirects to the result. */
export const seeOther = (location: string): RouteResponse => ({ status: 303, location });

export type StaticOr<S, Default> = S extends TSchema ? Static<S> : Default;
type Fields = Record<never, never>;

/**
 * The declaration of a route, from which the Express route, validation, access check, tenancy and OpenAPI operation are
 * derived.
 */
export interface Route<
  S extends Surface = Surface,
  P extends TSchema | undefined = TSchema | undefined,
  Q extends TSchema | undefined = TSchema | undefined,
  B extends TSchema | undefined = TSchema | undefined,
  Found = unknown,
> {
  /** PUT and PATCH usually share a route (docs/reference/requests.md#changes) */
  methods: readonly Method[];
  /** `/v1/pages/{page_id}`: parameters in braces */
  path: string;
  /** an imperative without a full stop: `List incidents` */
  summary: string;
  /** whole sentences for client authors: what the summary does not say */
  description?: string;
  /** groups operations in the OpenAPI document */
  tag: string;
  access: Access<S['permission'], StaticOr<P, Fields>, StaticOr<Q, Fields>>;
  /** default: GET reads, other methods write. A GET that writes has no HEAD, and its response must not be cached */
  effect?: 'read' | 'write';
  /** whether HEAD is allowed although GET writes */
  headWrites?: boolean;
  /**
   * whether headers about media types and expectations are ignored: any `Content-Encoding` is accepted and the body
   * left encoded, and if `Accept` matches no type, the first one is used
   */
  anyHeaders?: boolean;
  /** whether scripts of other origins may send the request; the path then responds to preflights (cross-origin.ts) */
  crossOrigin?: boolean;
  params?: P;
  query?: Q;
  /** accepted types of bodies; the first match counts; default: JSON. Empty: no body is allowed */
  accepts?: readonly BodyType[];
  body?: B;
  /** media types of responses; the first of equally preferred ones is used; default: JSON */
  produces?: readonly [MediaType, ...MediaType[]];
  /** schema of each successful response by status; null: no body */
  responses: Record<number, TSchema | null>;
  /** further error statuses, in addition to those derived from the rest of the declaration */
  errorStatuses?: readonly number[];
  /** whether requests must have an `Idempotency-Key`, since an accidental repetition would do harm */
  idempotencyKey?: 'required';
  /** top-level response fields that are shown once: a repeated request does not get them again */
  oneTime?: readonly string[];
  /**
   * whether the body contains a secret: the fingerprint of the request is then keyed, since a short secret could be
   * guessed from a plain hash
   */
  secretBody?: boolean;
  /**
   * whether `Idempotency-Key` is ignored, because a repetition is harmless: either the request contains a password or
   * code, of which not even a hash may be stored, or no header may prevent the request from being performed
   */
  unrepeatable?: boolean;
  /** whether responses may contain secrets or personal data, which must not be cached */
  confidential?: boolean;
  /**
   * whether responses may be long or slow: the number of concurrent ones per organization is limited (http/heavy-requests.ts),
   * and long bodies are sent in parts (http/streamed-json.ts)
   */
  heavy?: boolean;
  /** deadline of the response, milliseconds; default: that of http/deadline.ts */
  deadlineMs?: number;
  /**
   * the resource that the path names, if it has revisions: writes take `If-Match`, and reads have a strong `ETag` that
   * starts with the `revision` of the response (http/routes/if-match.ts)
   */
  revised?: (params: StaticOr<P, Fields>) => Revised;
  /** names of the projections that must have caught up with a write before the response */
  waitsFor?: readonly string[];
  /** Checks a query beyond its schema, before anything is looked up. @throws Invalid */
  requireQuery?: (query: StaticOr<Q, Fields>, now: Instant) => void;
  /**
   * Loads the resource that the path names, before the body is validated (docs/reference/errors.md#order-of-checks).
   *
   * @throws NotFound
   */
  find?: (call: CheckCall<S, StaticOr<P, Fields>, StaticOr<Q, Fields>>) => Promise<Found>;
  /** Errors of a body beyond its schema, by field, with access to the found resource. */
  refuse?: (found: Found, body: unknown) => FieldMessages | null;
  /**
   * Errors that the command would report. Called only if the schema or `refuse` found errors, so that one response
   * names all. The body may have any form; valid instants are already converted to {@link Instant}.
   */
  alsoRefused?: (
    call: CheckCall<S, StaticOr<P, Fields>, StaticOr<Q, Fields>> & {
      found: Found;
      body: Readonly<Record<string, unknown>>;
    },
  ) => Promise<FieldMessages> | FieldMessages;
  handle: (
    call: Call<S, StaticOr<P, Fields>, StaticOr<Q, Fields>, StaticOr<B, Fields>> & { found: Found },
  ) => Promise<RouteResponse> | RouteResponse;
}

/** A route of any surface. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyRoute = Route<{ permission: string; given: any; writing: any }>;

/** Declares the routes of a surface. */
export const createRoute =
  <S extends Surface>() =>
  <
    P extends TSchema | undefined = undefined,
    Q extends TSchema | undefined = undefined,
    B extends TSchema | undefined = undefined,
    Found = undefined,
  >(
    declaration: Route<S, P, Q, B, Found>,
  ): Route<S> =>
    declaration as unknown as Route<S>;

/** Whether a method of a route writes: permissions depend on the effect, not on the method (docs/reference/permissions.md). */
export const isWrite = ({ effect }: Pick<AnyRoute, 'effect'>, method: Method): boolean =>
  (effect ?? (method === 'get' ? 'read' : 'write')) === 'write';

/** The media types of a route's responses. */
export const responseTypes = ({
  produces = JSON_ALONE,
}: Pick<AnyRoute, 'produces'>): readonly [MediaType, ...MediaType[]] => produces;

/** The types of bodies that a route accepts. */
export const bodyTypes = ({ accepts = JSON_BODIES }: Pick<AnyRoute, 'accepts'>): readonly BodyType[] => accepts;

const JSON_ALONE = [JSON_TYPE] as const;
const JSON_BODIES = [JSON_BODY];
