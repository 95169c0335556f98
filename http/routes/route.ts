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
  /** arguments that all functions of a route get, including read access */
  given: HandlerContext;
  /** arguments that only `handle` gets: write access */
  writing: object;
}

export interface HandlerContext {
  context: ReadContext;
}

/** The validated content of a request. */
export interface RequestContent<P, Q, B> {
  params: P;
  query: Q;
  /** the body without fields that are not in the schema; `{}` if the request has none */
  body: B;
  /** address of the client; null: unknown */
  clientAddress: string | null;
  /** the value of `Authorization`. It is only authenticated if the route needs a permission */
  credential: string | null;
  /** the raw request */
  sent: SentRequest;
  /**
   * Encrypts the client address and the user agent of the request with the key of an organization. For routes whose
   * organization is only known to the handler.
   */
  sealedFor: (who: Pick<Caller, 'actor' | 'organizationId'>) => Promise<SealedOrigin>;
  /** the subject of a signed link; null: none */
  subject: string | null;
  /** the media type of the response: the one in `produces` that the client prefers */
  type: MediaType;
  /** returns the milliseconds until the deadline */
  remaining: () => number;
  /**
   * Returns the error response for one part of a request. Unexpected errors are logged like those of a whole request.
   */
  errorResponseOf: (error: unknown) => ErrorResponse;
  /** for `heavy` routes: aborts when no client waits for the response any more. For other routes: never aborts */
  signal: AbortSignal;
}

export type Call<S extends Surface, P, Q, B> = RequestContent<P, Q, B> & S['given'] & S['writing'];

/** The arguments of checks that run before the handler. They include neither the body nor write access. */
type CheckCall<S extends Surface, P, Q> = Omit<RequestContent<P, Q, never>, 'body'> & S['given'];

/** The arguments of a function that finds the organization of a public route. */
export interface TenantScope<Q> {
  query: Q;
  read: Read;
  clientAddress: string | null;
  /** the value of `Authorization` */
  credential: string | null;
  now: Instant;
  /** computes the signatures of tokens, to verify them */
  mac: Mac;
}

/**
 * Finds the organization that a path belongs to. Returns null if the path names no resource, or only a resource that
 * visitors may not see.
 */
export type FindTenant<P, Q> = (params: P, scope: TenantScope<Q>) => Promise<string | null>;

/** How a route can be called without a key. */
export type PublicAccess<P, Q> =
  | {
      /** finds the organization of the path; null: the route belongs to no organization */
      tenant: FindTenant<P, Q> | null;
      /**
       * whether a key may be sent. If a request has a key, the caller is the owner of the key. A request with an
       * invalid key is refused
       */
      key?: 'optional';
    }
  | {
      /**
       * purpose of the signed link that a request must contain (domain/signed-token.ts); the link also determines the
       * organization
       */
      link: string;
    };

/** Who is allowed to call a route: callers with a permission, or everybody. */
export type Access<Permission extends string, P, Q> = { needs: Permission } | { public: PublicAccess<P, Q> };

/**
 * The response of a route. `body` is called after the command has stored the change. So if the read model is late
 * (ReadModelLate), the response is 202 with `location` and `id` (docs/reference/requests.md#late-read-models).
 */
export interface RouteResponse {
  status: number;
  location?: string;
  id?: string;
  /** media type of the response, if the request selects it by other means than `Accept` */
  type?: MediaType;
  /** additional headers; `Cache-Control` replaces the default */
  headers?: Readonly<Record<string, string>>;
  /** values of `Set-Cookie`; each is sent in a header of its own */
  cookies?: readonly string[];
  /** security headers that replace those of the media type (http/security-headers.ts) */
  security?: readonly string[];
  /** `ETag` to send instead of a hash of the body */
  tag?: string;
  /** additional fields of the 202 response for a late read model */
  late?: Readonly<Record<string, unknown>>;
  /**
   * whether a part of the request failed temporarily. The response is then not stored for an `Idempotency-Key`, so a
   * repeated request retries the failed part and skips the parts that succeeded
   */
  incomplete?: boolean;
  /**
   * returns the body before encoding: any value for JSON; text, bytes or a stream for other types
   * (http/media/content.ts)
   */
  body?: () => unknown;
}

/**
 * Creates a 200 response. If the read model is late, the 202 response contains the path of the request as `location`
 * and the final parameter of this path as `id`.
 */
export const ok = (body: () => unknown): RouteResponse => ({ status: 200, body });

/** Creates a 201 response with `Location`. */
export const created = (location: string, id: string, body: () => unknown): RouteResponse => ({
  status: 201,
  location,
  id,
  body,
});

/** Creates a 202 response, for work that is performed later (on-demand runs, reports). */
export const accepted = (location: string, id: string, body: () => unknown): RouteResponse => ({
  status: 202,
  location,
  id,
  body,
});

/** Creates a 204 response, which has no body. */
export const noContent = (): RouteResponse => ({ status: 204 });

/** Creates a 303 response, which redirects to the result. */
export const seeOther = (location: string): RouteResponse => ({ status: 303, location });

export type StaticOr<S, Default> = S extends TSchema ? Static<S> : Default;
type Fields = Record<never, never>;

/**
 * The declaration of a route. The Express route, the validation, the access check, the organization and the OpenAPI
 * operation are derived from it.
 */
export interface Route<
  S extends Surface = Surface,
  P extends TSchema | undefined = TSchema | undefined,
  Q extends TSchema | undefined = TSchema | undefined,
  B extends TSchema | undefined = TSchema | undefined,
  Found = unknown,
> {
  /** methods of the route; PUT and PATCH usually share one declaration (docs/reference/requests.md#changes) */
  methods: readonly Method[];
  /** path with parameters in braces: `/v1/pages/{page_id}` */
  path: string;
  /** summary in the imperative, without a full stop: `List incidents` */
  summary: string;
  /** whole sentences for authors of clients, with what the summary does not say */
  description?: string;
  /** name of the group of operations in the OpenAPI document */
  tag: string;
  access: Access<S['permission'], StaticOr<P, Fields>, StaticOr<Q, Fields>>;
  /** default: GET reads, and other methods write. A GET that writes has no HEAD, and its response must not be cached */
  effect?: 'read' | 'write';
  /** whether HEAD is allowed although GET writes */
  headWrites?: boolean;
  /**
   * whether headers about media types and expectations are ignored. Any `Content-Encoding` is then accepted, and the
   * body is not decoded. If `Accept` matches no type, the first type is used
   */
  anyHeaders?: boolean;
  /** whether scripts of other origins may send the request; the path then responds to preflights (cross-origin.ts) */
  crossOrigin?: boolean;
  params?: P;
  query?: Q;
  /** accepted types of bodies; the first one that matches is used. Default: JSON. Empty: no body is allowed */
  accepts?: readonly BodyType[];
  body?: B;
  /** media types of responses; if the client prefers several equally, the first one is used. Default: JSON */
  produces?: readonly [MediaType, ...MediaType[]];
  /** schemas of successful responses by status; null: the response has no body */
  responses: Record<number, TSchema | null>;
  /** error statuses in addition to those that are derived from the rest of the declaration */
  errorStatuses?: readonly number[];
  /** present if requests must have an `Idempotency-Key`, because an accidental repetition would do harm */
  idempotencyKey?: 'required';
  /** top-level fields of responses that are shown only once; the response to a repeated request lacks them */
  oneTime?: readonly string[];
  /**
   * whether the body contains a secret. The fingerprint of the request is then a keyed hash, because a short secret
   * could be guessed from a plain hash
   */
  secretBody?: boolean;
  /**
   * whether `Idempotency-Key` is ignored. Only for requests whose repetition is harmless, and which either contain a
   * password or code (whose hash must not be stored) or must be performed whatever headers they have
   */
  unrepeatable?: boolean;
  /** whether responses may contain secrets or personal data; they are then not cached */
  confidential?: boolean;
  /**
   * whether responses may be long or slow. If so, the number of concurrent responses per organization is limited
   * (http/heavy-requests.ts), and long bodies are sent in parts (http/streamed-json.ts)
   */
  heavy?: boolean;
  /** name of a query parameter; a request with this parameter counts as heavy, even if the route does not */
  heavyWith?: string;
  /** time limit for a response, in milliseconds; default: RESPONSE_DEADLINE_MS of http/deadline.ts */
  deadlineMs?: number;
  /**
   * Returns the resource that the path names. Present if the resource has revisions: writes then accept `If-Match`, and
   * reads have a strong `ETag` that starts with the `revision` of the response (http/routes/if-match.ts).
   */
  revised?: (params: StaticOr<P, Fields>) => Revised;
  /** names of the projections that must have processed a change before the response is sent */
  waitsFor?: readonly string[];
  /**
   * Query parameters that are refused, with an error message for each. Other parameters that `query` does not declare
   * are ignored.
   */
  refusedQuery?: Readonly<Record<string, string>>;
  /**
   * Checks a query beyond its schema, before anything is looked up.
   *
   * @throws Invalid
   */
  requireQuery?: (query: StaticOr<Q, Fields>, now: Instant) => void;
  /**
   * Loads the resource that the path names. Called before the body is validated
   * (docs/reference/errors.md#order-of-checks).
   *
   * @throws NotFound
   */
  find?: (call: CheckCall<S, StaticOr<P, Fields>, StaticOr<Q, Fields>>) => Promise<Found>;
  /**
   * Validates a body beyond its schema, with access to the resource that `find` has loaded. Returns error messages by
   * field.
   */
  refuse?: (found: Found, body: unknown) => FieldMessages | null;
  /**
   * Returns the errors that the command would report. Called only if the schema or `refuse` found errors, so that one
   * response contains all errors. The body may have any form, but valid instants in it are already converted to {@link
   * Instant}.
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

/** Returns a function that declares routes of a surface. */
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

/**
 * Returns whether a method of a route writes. Permissions depend on this effect, not on the method
 * (docs/reference/permissions.md).
 */
export const isWrite = ({ effect }: Pick<AnyRoute, 'effect'>, method: Method): boolean =>
  (effect ?? (method === 'get' ? 'read' : 'write')) === 'write';

/** Returns the media types of a route's responses. */
export const responseTypes = ({
  produces = JSON_ALONE,
}: Pick<AnyRoute, 'produces'>): readonly [MediaType, ...MediaType[]] => produces;

/** Returns the types of bodies that a route accepts. */
export const bodyTypes = ({ accepts = JSON_BODIES }: Pick<AnyRoute, 'accepts'>): readonly BodyType[] => accepts;

const JSON_ALONE = [JSON_TYPE] as const;
const JSON_BODIES = [JSON_BODY];
