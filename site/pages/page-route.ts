import { Type, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { NotFound } from '../../domain/errors.ts';
import type { Instant } from '../../domain/time.ts';
import type { PublicPlaces } from '../../domain/page/public-address.ts';
import { HttpError } from '../../http/errors.ts';
import type { MediaType } from '../../http/media/types.ts';
import type { Answer } from '../../http/routes/route.ts';
import type { SentRequest } from '../../http/routes/sent-request.ts';
import { publicAddress } from '../../domain/page/public-address.ts';
import type { CardPictureOf } from '../../messages/cards/card.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { tenantOfSubdomain } from '../../queries/organizations/tenants.ts';
import type { Scope } from '../../queries/engine/scope.ts';
import { pageOfSubdomain } from '../../queries/pages/pages.ts';
import { accessTo, type PageAccess } from '../../queries/pages/visits.ts';
import { route, type Route } from '../route.ts';
import type { RenderedPages } from './cache/rendered-pages.ts';
import { choicesOf, type Choices } from './choices.ts';
import type { LiveStreams } from './live/live-streams.ts';
import { rootFrom } from './root.ts';

/** A visit of a status page by somebody who may see it. */
export interface PageVisit {
  scope: Scope;
  page: PageDocument;
  /** the relative address of the page's root ({@link rootFrom}) */
  root: string;
  choices: Choices;
  sent: SentRequest;
  /** answers that were rendered before (cache/cached-page.ts) */
  rendered: RenderedPages;
  /** streams of changes (live/live-streams.ts) */
  live: LiveStreams;
  /** Whether the visitor may see the page as it is later, by what this request has shown. */
  maySee: (page: PageDocument, now: Instant) => Promise<boolean>;
  /** where this service is reached */
  places: PublicPlaces;
  /** the page's address for others, without a slash at its end; only a path where PUBLIC_URL is not set */
  address: string;
  cardPicture: CardPictureOf;
  /** of a `heavy` route: aborted when nobody waits for the answer any more */
  signal: AbortSignal;
}

type Params = Readonly<Record<string, string>>;

interface Declaration<Q extends TSchema> {
  /** below the page's root: `/incidents/{incident_id}` */
  path: string;
  summary: string;
  produces: readonly [MediaType, ...MediaType[]];
  query?: Q;
  /** whether it takes long (http/routes/route.ts) */
  heavy?: boolean;
  /** whether it is answered whatever the request says about media types (http/routes/route.ts) */
  anyHeaders?: boolean;
  /** whether scripts of other origins may send it (http/routes/route.ts) */
  crossOrigin?: boolean;
  /** @throws NotFound */
  answer: (visit: PageVisit, asked: { params: Params; query: Static<Q> }) => Promise<Answer> | Answer;
}

const parametersOf = (path: string): TObject =>
  Type.Object(Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, Type.String()])));

/** What stands before the paths of a page on every host; on the page's own host there is nothing (http/app.ts). */
export const PAGE_PATH = '/status/{subdomain}';

/**
 * A route below the root of a status page, for visitors. Who may see the page is checked here, the same for everything
 * that a page serves: 404 to those from whom it is hidden, 401 to those who have to show something first.
 */
export const pageRoute = <Q extends TSchema = TObject>({ path, query, answer, ...declared }: Declaration<Q>): Route =>
  route({
    ...declared,
    methods: ['get'],
    path: `${PAGE_PATH}${path}`,
    tag: 'Status pages',
    access: { public: { tenant: (params, visit) => tenantOfSubdomain(params as { subdomain: string }, visit) } },
    params: parametersOf(`${PAGE_PATH}${path}`),
    ...(query && { query }),
    answers: { 200: Type.String() },
    handle: async ({ scope, params, query: asked, ...call }) => {
      const { sent, signal, mac, clientAddress, credential, places, cardPicture, rendered, live } = call;
      const { subdomain = '', ...own } = params as Params;
      const page = await pageOfSubdomain(scope.read, subdomain);
      if (!page) throw new NotFound('Not found.');
      const accessAt = (current: PageDocument, now: Instant): Promise<PageAccess> =>
        accessTo({ ...scope, now, clientAddress, credential, mac }, current);
      const access = await accessAt(page, scope.now);
      if (access === 'hidden') throw new NotFound('Not found.');
      if (access !== 'granted') throw new HttpError(401, 'This page is not public.');
      const maySee: PageVisit['maySee'] = async (current, now) => (await accessAt(current, now)) === 'granted';
      const visit = {
        ...{ scope, page, sent, signal, places, cardPicture, rendered, live, maySee },
        root: rootFrom(sent),
        choices: choicesOf(sent, page),
        address: publicAddress(page, places),
      };
      return answer(visit, { params: own, query: asked ?? {} });
    },
  });
