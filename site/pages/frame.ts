import { templateOf } from '../../domain/page/templates.ts';
import { acceptedModes } from '../../domain/subscriber/accepted-modes.ts';
import { pageWordsFor } from '../../messages/page-words/index.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { Frame, Link } from '../../views/status/frame.ts';
import { PageIcon } from '../../views/status/head.tsx';
import { pageTimes } from '../../views/status/times.ts';
import { assetName } from '../assets/assets.ts';
import { customAddress } from '../themes/custom/custom-rules.ts';
import { themeAddress } from '../themes/theme-stylesheet.ts';
import { pictureAddress } from './picture-addresses.ts';
import type { PageVisit } from './visit.ts';

type FramedVisit = Pick<PageVisit, 'page' | 'root' | 'choices' | 'isPublic' | 'sentModes'> & {
  past?: PageVisit['past'];
};

/** Returns the frame that surrounds the content of each page of a visit. */
export const frameOf = ({ page, root, choices, isPublic, sentModes, past = null }: FramedVisit): Frame => {
  const words = pageWordsFor(choices.language);
  const { website, support } = words.components;
  return {
    root,
    name: page.name,
    pageLanguage: page.language,
    language: choices.language,
    words,
    times: pageTimes(choices.language, choices.zone === 'utc' ? 'UTC' : page.time_zone),
    zone: choices.zone,
    pageZone: page.time_zone,
    theme: choices.theme,
    template: templateOf(page).name,
    indexed: isPublic && !page.hidden_from_search && !past?.shown,
    past,
    logo: pictureAddress(page.company_logo),
    cover: pictureAddress(page.hero_cover),
    version: null,
    isMember: page.viewers_must_be_team_members,
    subscribable: acceptedModes(page, 'page', sentModes).length > 0,
    followable: acceptedModes(page, 'incident', sentModes).length > 0,
    stylesheets: [`assets/${assetName('status.css')}`, themeAddress(page)].filter((one) => one !== null),
    customStylesheet: customAddress(page),
    // A past state does not change, and live.js would show its times relative to now.
    scripts: (past?.shown ? ['status.js'] : ['status.js', 'live.js']).map((name) => `assets/${assetName(name)}`),
    feeds: feedsOf(page),
    links: [linkTo(website, page.url), linkTo(support, page.support_url)].flat(),
  };
};

/**
 * Returns the frame of the password form and the sign-in form of a page. The owner of the page can change the colours
 * of these forms, but nothing else of their appearance. The frame contains no script, and no links to content that is
 * still locked.
 */
export const bareFrameOf = (visit: FramedVisit): Frame => ({
  ...frameOf(visit),
  bare: true,
  past: null,
  customStylesheet: null,
  indexed: false,
  scripts: [],
  logo: null,
  cover: null,
  feeds: [],
  links: [],
});

/** Names of the stylesheets of pages with subscription forms. */
export const FORM_STYLESHEETS = ['status.css', 'subscription.css'] as const;

/**
 * Returns the frame of the subscription forms. The owner of the page can change the colours of these forms, but nothing
 * else of their appearance. The frame contains no script, and search engines do not index it.
 */
export const formFrameOf = (visit: FramedVisit): Frame => ({
  ...frameOf(visit),
  indexed: false,
  head: PageIcon({ href: `${visit.root}favicon.svg`, type: 'image/svg+xml' }),
  logo: null,
  cover: null,
  stylesheets: [...FORM_STYLESHEETS.map((name) => `assets/${assetName(name)}`), themeAddress(visit.page)].filter(
    (one) => one !== null,
  ),
  customStylesheet: null,
  scripts: [],
});

const linkTo = (title: string, address: string | null): Link[] =>
  address !== null && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
    ? [{ title, href: new URL(address).href }]
    : [];

const feedsOf = ({ allow_rss_atom_feeds }: Pick<PageDocument, 'allow_rss_atom_feeds'>): Link[] => [
  ...(allow_rss_atom_feeds
    ? [
        { title: 'RSS', href: 'history.rss' },
        { title: 'Atom', href: 'history.atom' },
      ]
    : []),
  { title: 'JSON', href: 'api/v2/summary.json' },
  { title: 'iCalendar', href: 'maintenance.ics' },
];
