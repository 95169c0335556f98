import { h, type JSX } from 'preact';
import { publicAddress, type PublicAddressSettings } from '../../../domain/page/public-address.ts';
import { isOpenToEveryone } from '../../../domain/page/access.ts';
import type { SubscriberMode } from '../../../domain/subscriber/events.ts';
import { pageLanguage } from '../../../messages/words/languages.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import { pageHtml } from '../../../views/document.tsx';
import type { Frame } from '../../../views/status/frame.ts';
import { StatusPage } from '../../../views/status/status-page.tsx';
import { isPlain, themeOf } from '../../../views/themes/theme.ts';
import { assetName, assetNamed } from '../../assets/assets.ts';
import { customStylesheet } from '../../themes/custom/custom-rules.ts';
import { themeStylesheet } from '../../themes/theme-stylesheet.ts';
import { createFrameFactory } from '../html-page.ts';
import { statusView, type ShownPage } from './status-view.ts';

/**
 * The page that a preview shows. The preview is in the page's language and time zone, and looks the same as for
 * visitors.
 */
export interface PreviewedPage extends ShownPage {
  places: PublicAddressSettings;
  sentModes: ReadonlySet<SubscriberMode>;
}

/**
 * Returns the page's root as self-contained HTML. It has no scripts. Its styles are inline, because the page's colours
 * and CSS may not be saved yet. Only pictures are loaded, from the URLs in the page's fields.
 */
export const previewStatusPage = async ({ places, sentModes, ...shown }: PreviewedPage): Promise<string> => {
  const { page, scope } = shown;
  const address = publicAddress(page, places);
  const choices = { language: pageLanguage(page.language), zone: 'page', theme: 'auto' } as const;
  const visit = { scope, page, choices, root: `${address}/`, address, isPublic: isOpenToEveryone(page), sentModes };
  const framed = createFrameFactory(visit, null);
  const view = await statusView(shown, '90d', (subject): Frame => ({
    ...framed(subject),
    stylesheets: [],
    customStylesheet: null,
    scripts: [],
    indexed: false,
    head: stylesOf(page),
  }));
  return pageHtml(StatusPage(view));
};

const stylesOf = (page: PageDocument): JSX.Element[] => {
  const theme = themeOf(page);
  return [
    textOf('status.css'),
    isPlain(theme) ? '' : themeStylesheet(theme).css,
    customStylesheet(page)?.css ?? '',
  ].flatMap((css) => (css === '' ? [] : [inlined(css)]));
};

/** Renders a stylesheet as a data URL. In a `style` element, a rule could close the element and add markup. */
const inlined = (css: string): JSX.Element =>
  h('link', { rel: 'stylesheet', href: `data:text/css;charset=utf-8;base64,${Buffer.from(css).toString('base64')}` });

const textOf = (name: string): string => Buffer.from(assetNamed(assetName(name))?.identity ?? []).toString();
