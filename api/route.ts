import type { Static, TSchema } from '@sinclair/typebox';
import type { CommandContext } from '../commands/context.ts';
import type { Commands } from '../commands/index.ts';
import type { Instant } from '../domain/time.ts';
import type { Read } from '../projections/readers.ts';
import type { Scope } from '../queries/scope.ts';
import type { Keys } from '../stores/keys/port.ts';
import type { Sentences } from '../http/sentences.ts';
import type { May, Permission } from './permissions.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Who may call a route: whose role has a permission (api/permissions.ts), or anybody, with a key or without one. */
export type Access = { needs: Permission } | { public: true };

/** What a route is given: validated input, and the ways to write and to read. */
export interface Call<P, Q, B> {
  params: P;
  query: Q;
  /** unknown fields taken out; `{}` when there is none */
  body: B;
  context: CommandContext;
  commands: Commands;
  /** what queries ask with, on behalf of the caller */
  scope: Scope;
  read: Read;
  /** the first instant of which results are kept */
  resultsFrom: () => Instant;
  keys: Keys;
  /** what the caller may do; nothing without a key */
  may: May;
  /** where the request comes from; null where nobody knows */
  clientAddress: string | null;
}

/**
 * What a route answers. `body` is asked for after the command is done, so that a late read model
 * (ReadModelLate) turns into 202 with `location` and `id` (decisions.md: HTTP rules, A late read model).
 */
export interface Answer {
  status: number;
  location?: string;
  id?: string;
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

type StaticOr<S, Default> = S extends TSchema ? Static<S> : Default;

/**
 * One route, declared once: it gives the Express route, the validation, the check of access, the tenancy
 * and the OpenAPI operation.
 */
export interface Route<
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
  access: Access;
  params?: P;
  query?: Q;
  body?: B;
  /** schema of each successful answer by status; null where there is no body */
  answers: Record<number, TSchema | null>;
  /** top-level fields of an answer that are shown once: a repeated request does not get them again */
  oneTime?: readonly string[];
  /** whether an answer may hold secrets or personal data, which nobody on the way or at its end may keep */
  confidential?: boolean;
  /** projections that a write of this route must see caught up, by name, before it answers */
  waitsFor?: readonly string[];
  /** What a query must be besides what its schema says, before anything is looked up. @throws Invalid */
  requireQuery?: (query: StaticOr<Q, Record<never, never>>, now: Instant) => void;
  /**
   * Looks up what the ids in the path name, before the body is validated (decisions.md: Order of checks).
   *
   * @throws NotFound
   */
  find?: (
    call: Omit<Call<StaticOr<P, Record<never, never>>, StaticOr<Q, Record<never, never>>, never>, 'body' | 'commands'>,
  ) => Promise<Found>;
  /** What is wrong with a body besides what its schema says, by field, where that depends on what was found. */
  refuse?: (found: Found, body: unknown) => Sentences | null;
  /**
   * What the command would refuse too, asked where the schema refuses something, so that a request hears of
   * everything at once. The body may have any form; its instants are in the form of events where they are some.
   */
  alsoRefused?: (
    call: Omit<
      Call<StaticOr<P, Record<never, never>>, StaticOr<Q, Record<never, never>>, never>,
      'body' | 'commands'
    > & {
      found: Found;
      body: Readonly<Record<string, unknown>>;
    },
  ) => Promise<Sentences> | Sentences;
  handle: (
    call: Call<
      StaticOr<P, Record<never, never>>,
      StaticOr<Q, Record<never, never>>,
      StaticOr<B, Record<never, never>>
    > & {
      found: Found;
    },
  ) => Promise<Answer> | Answer;
}

export const route = <
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  Found = undefined,
>(
  declaration: Route<P, Q, B, Found>,
): Route => declaration as unknown as Route;

/** Whether a route changes anything: rights follow the effect, not the method (decisions.md: Roles). */
export const writes = ({ methods, access }: Route): boolean =>
  !methods.includes('get') && ('public' in access || !access.needs.endsWith('.read'));
