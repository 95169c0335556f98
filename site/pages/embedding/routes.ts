import { Type } from '@sinclair/typebox';
import { negotiateEncoding } from '../../../http/media/accept-encoding.ts';
import { html, mediaType } from '../../../http/media/media-types.ts';
import { pageWordsFor } from '../../../messages/page-words/index.ts';
import { STATE_COLOURS } from '../../../messages/state-colours.ts';
import { directionOf, pageHtml } from '../../../views/document.tsx';
import { EmbedPage } from '../../../views/embed/embed-page.tsx';
import { stateOfComponent } from '../../../views/status/state.tsx';
import { assetName, assetNamed } from '../../assets/assets.ts';
import type { Route } from '../../route.ts';
import { cachedPage } from '../cache/cached-page.ts';
import { pictureHeaders } from '../cache/caching.ts';
import { pictureLanguage } from '../display-settings.ts';
import { pageRoute } from '../page-route.ts';
import { bannerOf } from './banner.ts';
import { framingHeaders, corsHeaders } from './framing-headers.ts';

const SCRIPT = mediaType('text/javascript', { parameter: 'charset=utf-8', embeddable: true });
const BANNER = mediaType('application/json', { parameter: 'charset=utf-8', embeddable: true });
const THEMES = ['light', 'dark'] as const;

/**
 * Routes for embedding in other sites: a script that shows a banner while something is wrong, and a page for frames.
 */
export const embeddingRoutes: readonly Route[] = [
  pageRoute({
    path: '/embed.js',
    summary: 'A script that shows a banner while something is wrong',
    produces: [SCRIPT],
    anyHeaders: true,
    answer: ({ page, sent }) => {
      const name = assetName('embed.js');
      const asset = assetNamed(name);
      const encoding = negotiateEncoding(sent.header('accept-encoding'));
      return {
        status: 200,
        headers: {
          ...pictureHeaders(page),
          Vary: 'Accept-Encoding',
          ...(encoding && { 'Content-Encoding': encoding }),
        },
        tag: `"${name}${encoding ? `-${encoding}` : ''}"`,
        body: () => asset?.[encoding ?? 'identity'] ?? '',
      };
    },
  }),
  pageRoute({
    path: '/embed.json',
    summary: 'The content of the banner, for origins that may embed it',
    produces: [BANNER],
    anyHeaders: true,
    answer: (visit) => {
      const { page, sent } = visit;
      const language = pictureLanguage(sent, page);
      const readable = corsHeaders(page, sent.header('origin'));
      return cachedPage(visit, {
        key: `embed.json ${language}`,
        headers: { ...pictureHeaders(page), ...readable, Vary: 'Accept-Encoding, Origin' },
        make: async () => {
          const { status, text, detail, quiet } = await bannerOf(visit, language);
          const { fill: color, darkFill: dark } = STATE_COLOURS[status];
          const banner = quiet ? null : { text, detail, color, dark };
          return JSON.stringify({ banner, url: './', words: pageWordsFor(language).embed });
        },
      });
    },
  }),
  pageRoute({
    path: '/embed',
    summary: 'The status of the page in one line, for a frame',
    produces: [html()],
    query: Type.Object({ theme: Type.Optional(Type.String()) }),
    answer: (visit, { query }) => {
      const { page, root, sent } = visit;
      const language = pictureLanguage(sent, page);
      const theme = THEMES.find((one) => one === query.theme);
      return cachedPage(visit, {
        key: `embed ${language} ${theme ?? 'auto'}`,
        headers: { ...pictureHeaders(page), Vary: 'Accept-Encoding' },
        security: framingHeaders(page),
        make: async () => {
          const { status, text, detail } = await bannerOf(visit, language);
          const view = { root, name: page.name, language, direction: directionOf(page.language), theme, text, detail };
          const stylesheet = `assets/${assetName('embed.css')}`;
          return pageHtml(EmbedPage({ ...view, stylesheet, state: stateOfComponent(status) }));
        },
      });
    },
  }),
];
