import { Type, type Static, type TObject, type TProperties, type TSchema } from '@sinclair/typebox';
import type { Revised } from '../domain/revision.ts';
import type { FieldMessages } from '../http/validation-messages.ts';
import type { Listing, LongList, Paging } from '../queries/engine/listing.ts';
import type { ListStyle } from './pagination.ts';
import type { Permission } from './permissions.ts';
import { created, noContent, ok, type Call, type Route } from './route.ts';
import { Id } from './schema.ts';

/** Description of routes that change a resource. */
export const ABSENT_FIELDS_UNCHANGED = 'Absent fields stay unchanged.';

type Values<P extends TProperties> = Static<TObject<P>>;

/** Values of all path parameters: those of the parent, and the id of the resource. */
type PathValues<Up extends TProperties, K extends string> = Values<Up> & Record<K, string>;

/** A call without access to commands, so that the handler cannot write. */
type ReadCall<P> = Omit<Call<P, Record<never, never>, never>, 'body' | 'commands' | 'query'>;

/** Validation of a body beyond its schema (http/routes/route.ts). */
interface Refusals<P = never, Found = never> {
  refuse?: (found: Found, body: unknown) => FieldMessages | null;
  alsoRefused?: (
    call: ReadCall<P> & { found: Found; body: Readonly<Record<string, unknown>> },
  ) => Promise<FieldMessages> | FieldMessages;
}

/** Declares a route that writes: its body, and the command to run. */
interface Writing<P, B extends TSchema, Found, Done> extends Refusals<P, Found> {
  /** Default: derived from the noun, such as `Create a note` or `Change a note`. */
  summary?: string;
  description?: string;
  body: B;
  /** Whether the body can contain a password. If so, `Idempotency-Key` is ignored (http/routes/route.ts). */
  unrepeatable?: boolean;
  ask: (call: Call<P, Record<never, never>, Static<B>> & { found: Found }) => Promise<Done>;
}

/**
 * Declares a resource that clients list, create, read, change and delete. {@link resource} turns the declaration into
 * five routes. The routes of all resources have the same rules for permissions, the order of errors (404 before 422),
 * `Location`, 202 for a late read model, and OpenAPI.
 *
 * ```ts
 * const own = ownDocuments((read) => read(notes).notes, 'note', {
 *   sort: { created_at: -1 }, filters: { color: oneOf } });
 * export const noteRoutes = resource({
 *   path: '/v1/notes', id: 'note_id', tag: 'Notes', noun: 'note',
 *   needs: { read: 'notes.read', write: 'notes.write' },
 *   schema: Note, present: presentNote,
 *   show: ({ scope, params }) => own.one(scope, params.note_id),
 *   list: { summary: 'List notes', style: pagesOfStyleB({ key: 'notes', size: 20, newestBy: 'created_at' }),
 *     filters: { color: commaList(choice(COLORS)) },
 *     ask: ({ scope, query }, paging) => own.list(scope, query, paging) },
 *   create: { body: NewNote, ask: ({ body, context, commands }) => commands.bind(createNote)(body, context) },
 *   …
 * });
 * ```
 */
export interface Resource<
  Up extends TProperties,
  K extends string,
  Above,
  Shown,
  Found,
  A extends TSchema,
  F extends TProperties,
  N extends TSchema,
  C extends TSchema,
> {
  /** path of the collection: `/v1/pages/{page_id}/components` */
  path: string;
  /** Name of the path parameter that follows the collection's path and contains the id of the resource. */
  id: K;
  tag: string;
  /** Name of the resource in summaries, such as `check group`. */
  noun: string;
  needs: { read: Permission; write: Permission };
  /** Finds the parent that the path names. Each route responds 404 if the parent does not exist. */
  parent?: { params: Up; find: (call: ReadCall<Values<Up>>) => Promise<Above> };
  /** Loads a resource with everything that the response shows. @throws NotFound */
  show: (call: ReadCall<PathValues<Up, K>>) => Promise<Shown>;
  /** Loads what the handler of a change or deletion needs. Default: `show`. @throws NotFound */
  find?: (call: ReadCall<PathValues<Up, K>>) => Promise<Found>;
  /** schema of a resource in every response */
  schema: A;
  present: (shown: Shown, call: ReadCall<unknown>) => Static<A> | Promise<Static<A>>;
  /** whether responses may contain secrets or personal data (http/routes/route.ts) */
  confidential?: boolean;
  /** Set for resources with revisions. Writes then accept `If-Match`, and `schema` must have a `revision`. */
  revised?: (params: PathValues<Up, K>) => Revised;
  list: {
    summary: string;
    description?: string;
    style: ListStyle;
    /** query parameters that filter the list, all optional */
    filters?: F;
    ask: (
      call: ReadCall<Values<Up>> & { found: Above; query: { readonly [K in keyof F]?: Static<F[K]> } },
      paging: Paging,
    ) => Promise<Listing<Shown> | LongList<Shown>>;
  };
  /** Routes whose path has a fixed segment in place of the id, such as `/v1/pages/get-templates`. */
  furtherRoutes?: readonly Route[];
  /**
   * Creates a resource. `ask` returns the new id. `status` is 201 by default, and 200 where older clients expect it.
   */
  create?: Writing<Values<Up>, N, Above, string> & { status?: 200 | 201 };
  change?: Writing<PathValues<Up, K>, C, Found, unknown>;
  /** Deletes a resource. `waitsFor` names the read models that must have deleted it before the response is sent. */
  remove?: {
    summary?: string;
    description?: string;
    waitsFor: readonly string[];
    ask: (call: Call<PathValues<Up, K>, Record<never, never>, unknown> & { found: Found }) => Promise<unknown>;
  };
}

/** Replaces the parameters of a path with their values. */
const filled = (path: string, params: Params): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** Creates the routes of a resource: list, create, `furtherRoutes`, read, change (PUT and PATCH), delete. */
export const resource = <
  K extends string,
  Shown,
  A extends TSchema,
  Found = Shown,
  F extends TProperties = Record<never, never>,
  N extends TSchema = TSchema,
  C extends TSchema = TSchema,
  Up extends TProperties = Record<never, never>,
  Above = undefined,
>(
  declared: Resource<Up, K, Above, Shown, Found, A, F, N, C>,
): Route[] => routesOf(declared as unknown as AnyResource);

type Params = Readonly<Record<string, string>>;

/**
 * A resource of any type. Only callers of `resource` benefit from the precise types; the code below does not use them.
 */
type AnyResource = Resource<TProperties, string, unknown, unknown, unknown, TSchema, TProperties, TSchema, TSchema>;

const withArticle = (noun: string): string => `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`;

const described = ({ description }: { description?: string }): { description?: string } =>
  description === undefined ? {} : { description };

const routesOf = (declared: AnyResource): Route[] => {
  const {
    path,
    id,
    tag,
    noun,
    needs,
    parent,
    show,
    find = show,
    schema,
    present,
    list,
    create,
    change,
    remove,
  } = declared;
  const { confidential = false, furtherRoutes = [], revised } = declared;
  const ofAll = { path, tag, ...(parent && { params: Type.Object(parent.params), find: parent.find as Finding }) };
  const params = Type.Object({ ...parent?.params, [id]: Id });
  const ofOne = { path: `${path}/{${id}}`, tag, params, ...(revised && { revised: revised as Revising }) };
  const found = { find: find as Finding };
  const reads = { access: { needs: needs.read }, ...(confidential && { confidential }) };
  const writes = { access: { needs: needs.write } };
  const { summary, style, filters = {}, ask } = list;
  const query = { ...style.query, ...optional(filters) };

  /** Loads the resource in its state after the request. */
  const shown = async (call: ReadCall<Params>): Promise<unknown> => present(await show(call), call);

  const listRoute: Route = {
    ...ofAll,
    ...reads,
    methods: ['get'],
    summary,
    ...described(list),
    ...(Object.keys(query).length > 0 && { query: Type.Object(query) }),
    responses: { 200: style.answer(schema) },
    heavy: true,
    handle: (call) => {
      const values = call.query as Record<string, unknown>;
      return ok(() =>
        style.body(
          values,
          (paging) => ask(call as never, paging),
          (item) => present(item, call),
        ),
      );
    },
  };

  const readRoute: Route = {
    ...ofOne,
    ...reads,
    methods: ['get'],
    summary: `Get ${withArticle(noun)}`,
    responses: { 200: schema },
    handle: (call) => ok(() => shown(call as ReadCall<Params>)),
  };

  const createRoute = (creating: NonNullable<AnyResource['create']>): Route => {
    const { summary = `Create ${withArticle(noun)}`, body, status = 201, ask } = creating;
    return {
      ...ofAll,
      ...writes,
      ...ofWriting(creating as OfWriting),
      methods: ['post'],
      summary,
      ...described(creating),
      body,
      responses: { [status]: schema },
      handle: async (call) => {
        const made = await ask(call as never);
        const params: Params = { ...(call.params as Params), [id]: made };
        return { ...created(filled(ofOne.path, params), made, () => shown({ ...call, params })), status };
      },
    };
  };

  const changeRoute = (changing: NonNullable<AnyResource['change']>): Route => {
    const { summary = `Change ${withArticle(noun)}`, description = ABSENT_FIELDS_UNCHANGED, body, ask } = changing;
    return {
      ...ofOne,
      ...writes,
      ...found,
      ...ofWriting(changing as OfWriting),
      methods: ['put', 'patch'],
      summary,
      description,
      body,
      responses: { 200: schema },
      handle: async (call) => {
        await ask(call as never);
        return ok(() => shown(call as ReadCall<Params>));
      },
    };
  };

  const removeRoute = ({
    summary = `Delete ${withArticle(noun)}`,
    waitsFor,
    ask,
    ...removing
  }: NonNullable<AnyResource['remove']>): Route => ({
    ...ofOne,
    ...writes,
    ...found,
    methods: ['delete'],
    summary,
    ...described(removing),
    responses: { 204: null },
    waitsFor,
    handle: async (call) => {
      await ask(call as never);
      return noContent();
    },
  });

  return [
    listRoute,
    ...(create ? [createRoute(create)] : []),
    ...furtherRoutes,
    readRoute,
    ...(change ? [changeRoute(change)] : []),
    ...(remove ? [removeRoute(remove)] : []),
  ];
};

const optional = (properties: TProperties): TProperties =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]));

type Finding = NonNullable<Route['find']>;
type Revising = NonNullable<Route['revised']>;

type OfWriting = Pick<Route, 'refuse' | 'alsoRefused' | 'unrepeatable'>;

const ofWriting = ({ refuse, alsoRefused, unrepeatable }: OfWriting): OfWriting => ({
  ...(refuse && { refuse }),
  ...(alsoRefused && { alsoRefused }),
  ...(unrepeatable && { unrepeatable }),
});
