import { preferredLanguage } from '../../http/media/accept-language.ts';
import { html } from '../../http/media/media-types.ts';
import { securityHeaders, type Directives } from '../../http/security-headers.ts';
import { CONSOLE_WORDS } from '../../messages/console-words/index.ts';
import { PAGE_LANGUAGES } from '../../messages/words/languages.ts';
import { pageHtml } from '../../views/document.tsx';
import { assetName } from '../assets/assets.ts';
import { route, type Route } from '../route.ts';
import { ConsoleDocument } from './document.tsx';
import { frameRoute } from './frame.ts';
import { renderedRoutes } from './rendered-routes.ts';

/**
 * The policy of the console. It allows scripts and requests of the console's own origin. Trusted Types prevent text
 * from being interpreted as markup or script.
 */
const CONSOLE_POLICY: Directives = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  // Allows videos of script runs. Browsers can load them directly, because their URLs work without the access token.
  'media-src': ["'self'"],
  'connect-src': ["'self'"],
  'font-src': ["'none'"],
  'form-action': ["'self'"],
  // This policy allows the frames with previews, which run no scripts. All other responses of the service forbid
  // framing.
  'frame-src': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ["'none'"],
};

const HTML = html({ policy: CONSOLE_POLICY });
/**
 * The referrer policy `same-origin` makes browsers send the origin with a form, which is necessary for browsers that do
 * not support `Sec-Fetch-Site`.
 */
const SECURITY = securityHeaders(CONSOLE_POLICY, false, 'same-origin');

/**
 * Returns the URL of the assets folder. It is relative to the requested path, because a proxy may add a prefix that the
 * service does not know.
 */
export const assetsFrom = (path: string): string => {
  const depth = path.split('/').length - 2;
  if (depth === 0) return 'console/assets/';
  return `${'../'.repeat(depth - 1) || './'}assets/`;
};

/**
 * Returns the console's document at every path below `/console`. The console's script shows the screen that belongs to
 * the path.
 */
const documentRoutes: readonly Route[] = ['/console', '/console/{...rest}'].map((path) =>
  route({
    methods: ['get'],
    path,
    tag: 'Console',
    summary: 'The console for operators',
    access: { public: { tenant: null } },
    produces: [HTML],
    responses: { 200: null },
    handle: async ({ sent }) => {
      const language = preferredLanguage(sent.header('accept-language'), PAGE_LANGUAGES);
      const words = await CONSOLE_WORDS[language]();
      const folder = assetsFrom(sent.path);
      const page = ConsoleDocument({
        language,
        words,
        stylesheet: `${folder}${assetName('console.css')}`,
        script: `${folder}${assetName('console.js')}`,
        shared: `${folder}${assetName('shared.js')}`,
      });
      return {
        status: 200,
        headers: { 'Cache-Control': 'no-cache', Vary: 'Accept-Language' },
        security: SECURITY,
        body: () => pageHtml(page),
      };
    },
  }),
);

export const consoleRoutes: readonly Route[] = [frameRoute, ...renderedRoutes, ...documentRoutes];
