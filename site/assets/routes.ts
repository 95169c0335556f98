import { Type } from '@sinclair/typebox';
import { NotFound } from '../../domain/errors.ts';
import { negotiateEncoding } from '../../http/media/accept-encoding.ts';
import { mediaType } from '../../http/media/media-types.ts';
import { PAGE_PATH } from '../pages/page-route.ts';
import { route, type Route } from '../route.ts';
import { assetNamed } from './assets.ts';

const ASSET = mediaType('*/*');

/**
 * Paths of assets. They are served below each status page and below the console, so that pages can link to them with
 * relative URLs.
 */
const PATHS = [`${PAGE_PATH}/assets/{file}`, '/site/assets/{file}', '/console/assets/{file}'];

/**
 * The stylesheets and scripts of pages. Their names contain a hash of the content, so that browsers can cache them
 * indefinitely.
 */
export const assetRoutes: readonly Route[] = PATHS.map((path) =>
  route({
    methods: ['get'],
    path,
    tag: 'Assets',
    summary: 'A stylesheet or script of pages',
    access: { public: { tenant: null } },
    params: path.startsWith(PAGE_PATH)
      ? Type.Object({ subdomain: Type.String(), file: Type.String() })
      : Type.Object({ file: Type.String() }),
    anyHeaders: true,
    produces: [ASSET],
    responses: { 200: Type.String() },
    handle: ({ params, sent }) => {
      const { file } = params;
      const asset = assetNamed(file);
      if (!asset) throw new NotFound('There is no such asset.');
      const encoding = negotiateEncoding(sent.header('accept-encoding'));
      return {
        status: 200,
        headers: {
          'Content-Type': asset.contentType,
          'Cache-Control': 'public, max-age=31536000, immutable',
          Vary: 'Accept-Encoding',
          ...(encoding && { 'Content-Encoding': encoding }),
        },
        tag: `"${file}${encoding ? `-${encoding}` : ''}"`,
        body: () => asset[encoding ?? 'identity'],
      };
    },
  }),
);
