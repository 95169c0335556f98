import { Type, type Static, type TObject, type TProperties, type TSchema } from '@sinclair/typebox';
import type { Revised } from '../domain/revision.ts';
import type { Sentences } from '../http/sentences.ts';
import type { Listing, LongList, Paging } from '../queries/engine/listing.ts';
import type { ListStyle } from './pagination.ts';
import type { Permission } from './permissions.ts';
import { created, noContent, ok, type Call, type Route } from './route.ts';
import { Id } from './schema.ts';

type Values<P extends TProperties> = Static<TObject<P>>;

/** Values of a path's parameters, including that of the resource itself. */
type Place<Up extends TProperties, K extends string> = Values<Up> & Record<K, string>;

/** A call that only reads. */
type Looking<P> = Omit<Call<P, Record<never, never>, never>, 'body' | 'commands' | 'query'>;

/** What is wrong with a body besides what its schema says (api/route.ts). */
interface Refusals<P = never, Found = never> {
  refuse?: (found: Found, body: unknown) => Sentences | null;
  alsoRefused?: (
    call: Looking<P> & { found: Found; body: Readonly<Record<string, unknown>> },
  ) => Promise<Sentences> | Sentences;
}

/** A write: its body, and the command that it runs. */
interface Writing<P, B extends TSchema, Found, Done> extends Refusals<P, Found> {
  /** default: `Create a note`, `Change a note; fields that are absent stay` */
  summary?: string;
  body: B;
  /** whether it may hold a password, so that an `Idempotency-Key` means nothing (http/routes/route.ts) */
  unrepeatable?: boolean;
  ask: (call: Call<P, Record<never, never>, Static<B>> & { found: Found }) => Promise<Done>;
}

/**
 * A resource that is listed, created, read, changed and deleted. One declaration gives the five routes with all that
 * every resource has in common: who may call, 404 before 422, `Location`, what a late read model does, OpenAPI.
 *
 * ```ts
 * const own = ownDocuments((read) => read(notes).notes, 'note', {
 *   sort: { created_at: -1 }, filters: { color: oneOf } });
 * export const noteRoutes = resource({
 *   path: '/v1/notes', id: 'note_id', tag: 'Notes', one: 'note',
 *   needs: { read: 'notes.read', write: 'notes.write' },
 *   answer: Note, present: presentNote,
 *   show: ({ scope, params }) => own.one(scope, params.note_id),
 *   list: { summary: 'The notes of the organization, newest first', style: pagesOfStyleB({ key: 'notes', size: 20, newestBy: 'created_at' }),
 *     filters: { color: commaList(choice(COLORS)) }, ask: ({ scope, query }, paging) => own.list(scope, query, paging) },
 *   create: { body: NewNote, ask: ({ body, context, commands }) => commands.ask(createNote)(body, context) },
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
  /** name of the path parameter that follows, the id of one */
  id: K;
  tag: string;
  /** what one is called in summaries */
  one: string;
  needs: { read: Permission; write: Permission };
  /** the parent that the parameters of the path name; it has to exist for every route below */
  above?: { params: Up; find: (call: Looking<Values<Up>>) => Promise<Above> };
  /** Finds one by its path, with everything that is shown of it. @throws NotFound */
  show: (call: Looking<Place<Up, K>>) => Promise<Shown>;
  /** Finds one for a change or deletion, where less is enough. @throws NotFound */
  find?: (call: Looking<Place<Up, K>>) => Promise<Found>;
  /** schema of one in every answer */
  answer: A;
  present: (shown: Shown, call: Looking<unknown>) => Static<A> | Promise<Static<A>>;
  /** whether answers may hold secrets or personal data (api/route.ts) */
  confidential?: boolean;
  /** of a resource with revisions: writes take `If-Match`, and `answer` must have `revision` (api/route.ts) */
  revised?: (params: Place<Up, K>) => Revised;
  list: {
    summary: string;
    style: ListStyle;
    /** parameters that filter the list, all optional */
    filters?: F;
    ask: (
      call: Looking<Values<Up>> & { found: Above; query: { readonly [K in keyof F]?: Static<F[K]> } },
      paging: Paging,
    ) => Promise<Listing<Shown> | LongList<Shown>>;
  };
  /** routes with a fixed segment in place of the id, such as `/v1/pages/get-templates` */
  besides?: readonly Route[];
  /** `ask` returns the id of the new one; `status`: 201, unless existing clients accept only 200 */
  create?: Writing<Values<Up>, N, Above, string> & { status?: 200 | 201 };
  change?: Writing<Place<Up, K>, C, Found, unknown>;
  /** `waitsFor`: names of the read models that must no longer have it when the request is answered */
  remove?: {
    summary?: string;
    waitsFor: readonly string[];
    ask: (call: Call<Place<Up, K>, Record<never, never>, unknown> & { found: Found }) => Promise<unknown>;
  };
}

/** A path with its parameters filled in. */
const filled = (path: string, params: Params): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** The routes of a resource: list, create, those of `besides`, read, change (PUT and PATCH), delete. */
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

/** Inside this file the declared types don't matter: a `Route` may have any parameters and bodies. */
type AnyResource = Resource<TProperties, string, unknown, unknown, unknown, TSchema, TProperties, TSchema, TSchema>;

const routesOf = (declared: AnyResource): Route[] => {
  const {
    path,
    id,
    tag,
    one,
    needs,
    above,
    show,
    find = show,
    answer,
    present,
    list,
    create,
    change,
    remove,
  } = declared;
  const { confidential = false, besides = [], revised } = declared;
  const ofAll = { path, tag, ...(above && { params: Type.Object(above.params), find: above.find as Finding }) };
  const params = Type.Object({ ...above?.params, [id]: Id });
  const ofOne = { path: `${path}/{${id}}`, tag, params, ...(revised && { revised: revised as Revising }) };
  const found = { find: find as Finding };
  const reads = { access: { needs: needs.read }, ...(confidential && { confidential }) };
  const writes = { access: { needs: needs.write } };
  const { summary, style, filters = {}, ask } = list;
  const query = { ...style.query, ...optional(filters) };

  /** The resource as it is after this request. */
  const shown = async (call: Looking<Params>): Promise<unknown> => present(await show(call), call);

  const listRoute: Route = {
    ...ofAll,
    ...reads,
    methods: ['get'],
    summary,
    ...(Object.keys(query).length > 0 && { query: Type.Object(query) }),
    answers: { 200: style.answer(answer) },
    heavy: true,
    handle: (call) => {
      const asked = call.query as Record<string, unknown>;
      return ok(() =>
        style.body(
          asked,
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
    summary: `One ${one}`,
    answers: { 200: answer },
    handle: (call) => ok(() => shown(call as Looking<Params>)),
  };

  const createRoute = (creating: NonNullable<AnyResource['create']>): Route => {
    const { summary = `Create a ${one}`, body, status = 201, ask } = creating;
    return {
      ...ofAll,
      ...writes,
      ...ofWriting(creating as OfWriting),
      methods: ['post'],
      summary,
      body,
      answers: { [status]: answer },
      handle: async (call) => {
        const made = await ask(call as never);
        const params: Params = { ...(call.params as Params), [id]: made };
        return { ...created(filled(ofOne.path, params), made, () => shown({ ...call, params })), status };
      },
    };
  };

  const changeRoute = (changing: NonNullable<AnyResource['change']>): Route => {
    const { summary = `Change a ${one}; fields that are absent stay`, body, ask } = changing;
    return {
      ...ofOne,
      ...writes,
      ...found,
      ...ofWriting(changing as OfWriting),
      methods: ['put', 'patch'],
      summary,
      body,
      answers: { 200: answer },
      handle: async (call) => {
        await ask(call as never);
        return ok(() => shown(call as Looking<Params>));
      },
    };
  };

  const removeRoute = ({ summary = `Delete a ${one}`, waitsFor, ask }: NonNullable<AnyResource['remove']>): Route => ({
    ...ofOne,
    ...writes,
    ...found,
    methods: ['delete'],
    summary,
    answers: { 204: null },
    waitsFor,
    handle: async (call) => {
      await ask(call as never);
      return noContent();
    },
  });

  return [
    listRoute,
    ...(create ? [createRoute(create)] : []),
    ...besides,
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
