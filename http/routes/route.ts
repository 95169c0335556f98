import type { Static, TSchema } from '@sinclair/typebox';
import type { Revised } from '../../domain/revision.ts';
import type { Mac } from '../../domain/signed-token.ts';
import type { Instant } from '../../domain/time.ts';
import type { Appending } from '../../projections/engine/readers.ts';
import type { Read } from '../../projections/readers.ts';
import { JSON_BODY, type BodyType } from '../media/body-types.ts';
import { JSON_TYPE, type MediaType } from '../media/types.ts';
import type { ErrorAnswer } from '../errors.ts';
import type { Sentences } from '../sentences.ts';
import type { Caller } from './caller.ts';
import type { SentRequest } from './sent-request.ts';
import type { Client } from './client.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** What the routes of one surface have in common: the interface under `/v1`, the pages of the site. */
export interface Surface {
  /** what a route may need from its caller */
  permission: string;
  /** what handlers get besides the request, including ways to look things up */
  given: Given;
  /** the ways to write, which only a handler gets */
  writing: object;
}

export interface Given {
  context: Appending;
}

/** The validated content of a request. */
export interface Asked<P, Q, B> {
  params: P;
  query: Q;
  /** without fields that the schema does not name; `{}` when there is none */
  body: B;
  /** where the request comes from; null where nobody knows */
  clientAddress: string | null;
  /** what stands in `Authorization`; who has shown it is known where a route needs a permission */
  credential: string | null;
  /** the request as the client sent it */
  sent: SentRequest;
  /** Seals where the request comes from, for an organization that only the handler finds. */
  sealedFor: (who: Pick<Caller, 'actor' | 'organizationId'>) => Promise<Client>;
  /** what a signed link is about; null without one */
  subject: string | null;
  /** the one of `produces` that the client prefers */
  type: MediaType;
  /** milliseconds until the answer has to be there */
  left: () => number;
  /** The answer to an error of a part of what is asked; an unexpected one is logged as one of a whole request is. */
  refusalOf: (error: unknown) => ErrorAnswer;
  /** of a `heavy` route: aborted when nobody waits for the answer any more; of others never */
  signal: AbortSignal;
}

export type Call<S extends Surface, P, Q, B> = Asked<P, Q, B> & S['given'] & S['writing'];

/** What is checked before anything is done: there is no body yet, and nothing can be written. */
type Looking<S extends Surface, P, Q> = Omit<Asked<P, Q, never>, 'body'> & S['given'];

/** What is used to find the owner of a public route. */
export interface TenantScope<Q> {
  query: Q;
  read: Read;
  clientAddress: string | null;
  /** what stands in `Authorization` */
  credential: string | null;
  now: Instant;
  /** checks the signature of a token */
  mac: Mac;
}

/** The organization whose data a path is about; null: it does not exist, or not for visitors. */
export type FindTenant<P, Q> = (params: P, scope: TenantScope<Q>) => Promise<string | null>;

/** How a route is called without a key. */
export type Public<P, Q> =
  | {
      /** finds whose data the path is about; null: nobody's, the answer is the same for all */
      tenant: FindTenant<P, Q> | null;
      /** whether a key may be shown all the same: then its owner is the caller, and a wrong one is refused */
      key?: 'optional';
    }
  | {
      /** only by a link that was signed for this purpose (domain/signed-token.ts), which names the organization */
      link: string;
    };

/** Who may call a route: callers with a permission, or anybody. */
export type Access<Permission extends string, P, Q> = { needs: Permission } | { public: Public<P, Q> };

/**
 * What a route answers. `body` is called after the command is done, so that a late read model
 * (ReadModelLate) turns into 202 with `location` and `id` (decisions.md: HTTP rules, A late read model).
 */
export interface Answer {
  status: number;
  location?: string;
  id?: string;
  /** one of the route's types, where the request names one otherwise than by `Accept`, which then does not count */
  type?: MediaType;
  /** further headers; `Cache-Control` takes the place of the usual one */
  headers?: Readonly<Record<string, string>>;
  /** values of `Set-Cookie`, one header each */
  cookies?: readonly string[];
  /** security headers instead of those of the media type (http/security-headers.ts) */
  security?: readonly string[];
  /** `ETag` of the body, which is not hashed then */
  tag?: string;
  /** fields of the answer that it has besides the usual ones where a read model is late */
  late?: Readonly<Record<string, unknown>>;
  /**
   * whether a part of what was asked for was not done for reasons that pass: the answer is not kept for an
   * `Idempotency-Key`, so that a repetition does it, and finds the rest done
   */
  incomplete?: boolean;
  /** what its media type makes the body from: JSON any value, else text, bytes or a stream (http/media/content.ts) */
  body?: () => unknown;
}

/** 200; `location` of a late answer is the request's own path, `id` its last parameter. */
export const ok = (body: () => unknown): Answer => ({ status: 200, body });

/** 201 with `Location`. */
export const created = (location: string, id: string, body: () => unknown): Answer => ({
  status: 201,
  location,
  id,
  body,
});

/** 202: accepted, to be done (execute, report creation). */
export const accepted = (location: string, id: string, body: () => unknown): Answer => ({
  status: 202,
  location,
  id,
  body,
});

/** 204, with no body. */
export const noContent = (): Answer => ({ status: 204 });

/** 303: the request is done, and its result is shown elsewhere. */
export const seeOther = (location: string): Answer => ({ status: 303, location });

export type StaticOr<S, Default> = S extends TSchema ? Static<S> : Default;
type Fields = Record<never, never>;

/**
 * One route, declared once: the Express route, the validation, the check of access, the tenancy and the OpenAPI
 * operation follow from it.
 */
export interface Route<
  S extends Surface = Surface,
  P extends TSchema | undefined = TSchema | undefined,
  Q extends TSchema | undefined = TSchema | undefined,
  B extends TSchema | undefined = TSchema | undefined,
  Found = unknown,
> {
  /** one path may be served by PUT and PATCH alike (decisions.md: PUT is the same as PATCH) */
  methods: readonly Method[];
  /** `/v1/pages/{page_id}`: parameters in braces */
  path: string;
  summary: string;
  /** groups operations in the OpenAPI document */
  tag: string;
  access: Access<S['permission'], StaticOr<P, Fields>, StaticOr<Q, Fields>>;
  /** default: GET reads, every other method writes. A GET that writes has no HEAD, and nobody may keep its answer */
  effect?: 'read' | 'write';
  /** whether HEAD does what GET does, although that writes */
  headWrites?: boolean;
  /**
   * whether no header about media types or expectations refuses a request: its body is taken as it was sent, whatever
   * its `Content-Encoding`, and where the `Accept` takes none of its types, the answer has the first
   */
  anyHeaders?: boolean;
  /** whether scripts of other origins may send the request: preflights of its path are answered (cross-origin.ts) */
  crossOrigin?: boolean;
  params?: P;
  query?: Q;
  /** the types of bodies, of which the first that fits counts; default: JSON. Empty: a body is refused */
  accepts?: readonly BodyType[];
  body?: B;
  /** the types of its answers; of equals the first is chosen; default: JSON */
  produces?: readonly [MediaType, ...MediaType[]];
  /** schema of each successful answer by status; null where there is no body */
  answers: Record<number, TSchema | null>;
  /** further statuses with which it refuses what is asked, beside those that follow from the rest of this declaration */
  refuses?: readonly number[];
  /** whether a request must have an `Idempotency-Key`: without one, what it does could be done twice */
  idempotencyKey?: 'required';
  /** top-level fields of an answer that are shown once: a repeated request does not get them again */
  oneTime?: readonly string[];
  /**
   * whether its body holds a secret: what a repeated request is recognized by is then made under a key, since from a
   * mere hash a short secret could be guessed
   */
  secretBody?: boolean;
  /**
   * whether an `Idempotency-Key` means nothing, since doing it again is harmless: the request holds a password or a code,
   * of which not even a hash may be kept, or no header may keep it from being done
   */
  unrepeatable?: boolean;
  /** whether an answer may hold secrets or personal data, which neither proxies nor the client may keep */
  confidential?: boolean;
  /**
   * whether its answer may be long, or take long to make: an organization has few of them in progress at once
   * (http/shares.ts), and a long body is sent part by part (http/json-parts.ts)
   */
  heavy?: boolean;
  /** milliseconds that its answer may take; default: as long as every answer (http/deadline.ts) */
  answersWithin?: number;
  /**
   * the resource that the path names, if it has revisions: writes take `If-Match`, and reads have a strong `ETag` that
   * begins with the `revision` of the answer (http/routes/if-match.ts)
   */
  revised?: (params: StaticOr<P, Fields>) => Revised;
  /** projections that a write of this route must see caught up, by name, before it answers */
  waitsFor?: readonly string[];
  /** Checks a query beyond its schema, before anything is looked up. @throws Invalid */
  requireQuery?: (query: StaticOr<Q, Fields>, now: Instant) => void;
  /**
   * Looks up what the ids in the path name, before the body is validated (decisions.md: Order of checks).
   *
   * @throws NotFound
   */
  find?: (call: Looking<S, StaticOr<P, Fields>, StaticOr<Q, Fields>>) => Promise<Found>;
  /** What is wrong with a body beyond its schema, by field, where that depends on what was found. */
  refuse?: (found: Found, body: unknown) => Sentences | null;
  /**
   * What the command would refuse too. It is called when the schema refuses something, so that the answer names
   * everything at once. The body may have any form; valid instants in it have the form of events.
   */
  alsoRefused?: (
    call: Looking<S, StaticOr<P, Fields>, StaticOr<Q, Fields>> & {
      found: Found;
      body: Readonly<Record<string, unknown>>;
    },
  ) => Promise<Sentences> | Sentences;
  handle: (
    call: Call<S, StaticOr<P, Fields>, StaticOr<Q, Fields>, StaticOr<B, Fields>> & { found: Found },
  ) => Promise<Answer> | Answer;
}

/** A route of any surface. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyRoute = Route<{ permission: string; given: any; writing: any }>;

/** Declares the routes of a surface. */
export const declaring =
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

/** Whether a method of a route changes anything: rights follow the effect, not the method (decisions.md: Roles). */
export const writes = ({ effect }: Pick<AnyRoute, 'effect'>, method: Method): boolean =>
  (effect ?? (method === 'get' ? 'read' : 'write')) === 'write';

/** The types of a route's answers. */
export const producedBy = ({
  produces = JSON_ALONE,
}: Pick<AnyRoute, 'produces'>): readonly [MediaType, ...MediaType[]] => produces;

/** The types of bodies that a route takes. */
export const acceptedBy = ({ accepts = JSON_BODIES }: Pick<AnyRoute, 'accepts'>): readonly BodyType[] => accepts;

const JSON_ALONE = [JSON_TYPE] as const;
const JSON_BODIES = [JSON_BODY];
