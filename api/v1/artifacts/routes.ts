import { Type } from '@sinclair/typebox';
import { NotFound } from '../../../domain/errors.ts';
import type { FileContent } from '../../../http/media/content.ts';
import { contentDisposition } from '../../../http/media/disposition.ts';
import { mediaType } from '../../../http/media/media-types.ts';
import type { Artifact, Artifacts } from '../../../stores/artifacts/port.ts';
import { route } from '../../route.ts';
import { ARTIFACT_LINK } from './link.ts';

/**
 * The media type of artifacts. They can contain content of third parties, so the content security policy gives them an
 * opaque origin, and forbids scripts, forms and further requests.
 */
const ANYTHING = mediaType('*/*', {
  policy: {
    'default-src': ["'none'"],
    'img-src': ["'self'"],
    'media-src': ["'self'"],
    'style-src': ["'unsafe-inline'"],
    'frame-ancestors': ["'none'"],
    sandbox: [],
  },
  embeddable: true,
  encode: (file) => file as FileContent,
});

/** Matches the harmless media types that browsers are allowed to display. All other types are downloaded. */
const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp|avif)|video\/(?:mp4|webm)|text\/plain)(?:;|$)/;

export const artifactRoutes = [
  route({
    methods: ['get'],
    path: '/v1/artifacts/{artifact_id}',
    summary: 'Get a file',
    description: 'The file is an artifact of a run, such as a screenshot, or a report. Responses contain links to it.',
    tag: 'Artifacts',
    access: { public: { link: ARTIFACT_LINK } },
    params: Type.Object({ artifact_id: Type.String() }),
    produces: [ANYTHING],
    responses: {
      200: Type.String({ description: 'The file, with its own media type.' }),
      206: Type.String({ description: 'The part that `Range` requests.' }),
    },
    find: async ({ params, subject, context, artifacts }) => {
      const found = subject === params.artifact_id ? await artifacts.find(subject) : null;
      if (found?.organization_id !== context.organizationId) throw new NotFound('Not found.');
      return found;
    },
    handle: ({ found, artifacts }) => ({
      status: 200,
      headers: {
        'Content-Type': found.media_type,
        'Content-Disposition': contentDisposition(SHOWN.test(found.media_type) ? 'inline' : 'attachment', found.name),
        'Cache-Control': 'private, no-cache',
      },
      body: () => fileOf(found, artifacts),
    }),
  }),
];

const fileOf = ({ id, size, sha256 }: Artifact, artifacts: Pick<Artifacts, 'read'>): FileContent => ({
  size,
  tag: `"${sha256}"`,
  part: (range) =>
    async function* () {
      yield* (await artifacts.read(id, range ?? undefined)) as AsyncIterable<Uint8Array>;
    },
});
