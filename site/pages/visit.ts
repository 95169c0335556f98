import { memberBySession } from '../../commands/pages/page-sessions.ts';
import { NotFound } from '../../domain/errors.ts';
import { sessionOfToken } from '../../domain/page/session-token.ts';
import { isPageToken } from '../../domain/page/access-token.ts';
import { publicAddress, type PublicAddressSettings } from '../../domain/page/public-address.ts';
import { isOpenToEveryone } from '../../domain/page/access.ts';
import type { SubscriberMode } from '../../domain/subscriber/events.ts';
import type { Instant } from '../../domain/time.ts';
import type { HostedPage } from '../../http/hosts/page-hosts.ts';
import { addressLimitKey } from '../../http/routes/caller.ts';
import type { Call } from '../../http/routes/route.ts';
import type { SentRequest } from '../../http/routes/sent-request.ts';
import type { CardPictureOf } from '../../messages/cards/card.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { Scope } from '../../queries/engine/scope.ts';
import { pageOfSubdomain } from '../../queries/pages/pages.ts';
import { pageAccessOf, type PageAccess } from '../../queries/pages/visits.ts';
import type { FramePast } from '../../views/status/frame.ts';
import type { Site } from '../route.ts';
import type { RenderedPages } from './cache/rendered-pages.ts';
import { displaySettingsOf, type DisplaySettings } from './display-settings.ts';
import { ACCESS_COOKIE, SESSION_COOKIE } from './cookies.ts';
import type { LiveStreams } from './live/live-streams.ts';
import { pastOf } from './past/past-range.ts';
import { relativeRootFrom } from './relative-root.ts';
import type { TagFigures } from './tag-figures.ts';

/** A visit to a status page by a visitor with access. */
export interface PageVisit {
  scope: Scope;
  page: PageDocument;
  /** whether the page is public; responses about other pages are not stored in shared caches */
  isPublic: boolean;
  /** relative URL of the page's root ({@link relativeRootFrom}) */
  root: string;
  choices: DisplaySettings;
  sent: SentRequest;
  /** cache of rendered responses (cache/cached-page.ts) */
  rendered: RenderedPages;
  /** figures over all checks with a tag (tag-figures.ts) */
  tagFigures: TagFigures;
  /** event streams of changes (live/live-streams.ts) */
  live: LiveStreams;
  /** past moments that visitors may choose, and the moment that is shown; null: the page offers no past states */
  past: FramePast | null;
  current: PageDocument;
  /** Returns whether the credentials of this request grant access to a later version of the page. */
  maySee: (page: PageDocument, now: Instant) => Promise<boolean>;
  /** the service's public URLs */
  places: PublicAddressSettings;
  /** the page's public URL, without a trailing slash; only a path if PUBLIC_URL is not set */
  address: string;
  cardPicture: CardPictureOf;
  /** modes in which this service sends messages to subscribers */
  sentModes: ReadonlySet<SubscriberMode>;
  /** client whose quota the renderings count towards (cache/rendered-pages.ts); null: the service itself renders */
  countedAs: string | null;
  /** for a `heavy` route: aborted when the client disconnects */
  signal: AbortSignal;
}

/** A visit by somebody who might have to authenticate first. */
export interface Visitor {
  visit: PageVisit;
  access: Exclude<PageAccess, 'hidden'>;
}

export type SiteCall = Call<Site, Readonly<Record<string, string>>, unknown, unknown>;

/**
 * Finds the page for a path, and checks the visitor's access.
 *
 * @throws NotFound the page does not exist, or is hidden from this visitor; the message is the same in both cases
 */
export const visitorOf = async (call: SiteCall): Promise<Visitor> => {
  const { scope, params, sent, places, signal, rendered, tagFigures, live, cardPicture, sentModes, clientAddress } =
    call;
  const page = await pageOfSubdomain(scope.read, params['subdomain'] ?? '');
  if (!page || !isServedAt(page, sent.hostedPage)) throw pageNotFound();
  const access = await accessOf(call, page, scope.now);
  if (access === 'hidden') throw pageNotFound();
  const maySee: PageVisit['maySee'] = async (current, now) =>
    current.id === page.id &&
    isServedAt(current, sent.hostedPage) &&
    (await accessOf(call, current, now)) === 'granted';
  const visit = {
    ...{ scope, page, sent, signal, places, rendered, tagFigures, live, maySee, cardPicture, sentModes },
    countedAs: clientAddress === null ? null : addressLimitKey(clientAddress),
    past: pastOf(page, scope.now),
    current: page,
    isPublic: isOpenToEveryone(page),
    root: relativeRootFrom(sent, page),
    choices: displaySettingsOf(sent, page),
    address: publicAddress(page, places),
  };
  return { visit, access };
};

const pageNotFound = (): NotFound => new NotFound('Not found.');

/**
 * Returns whether the page is still served at the requested host. The host was looked up in a cache that may be
 * outdated. The page's own `domain` is authoritative.
 */
const isServedAt = (page: PageDocument, hosted: HostedPage | null): boolean =>
  hosted === null || (hosted.pageId === page.id && (hosted.by === 'subdomain' || page.domain_key === hosted.host));

const accessOf = (call: SiteCall, page: PageDocument, now: Instant): Promise<PageAccess> => {
  const { mac, clientAddress, commands } = call;
  const isMember = async (): Promise<boolean> => {
    const session = await sessionOfToken(call.sent.cookie(SESSION_COOKIE), page, now, mac);
    return session !== null && (await commands.bind(memberBySession)(session, { now })) !== null;
  };
  return pageAccessOf({ clientAddress, tokens: tokensOf(call), isMember, now, mac }, page);
};

/**
 * Returns the visitor's tokens. They may be in `Authorization`, in `?token=`, and in the cookie that the password form
 * sets.
 */
const tokensOf = ({ credential, sent }: Pick<SiteCall, 'credential' | 'sent'>): string[] =>
  [credential, new URLSearchParams(sent.search).get('token'), sent.cookie(ACCESS_COOKIE)].filter(isPageToken);
