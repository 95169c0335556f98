import { Type, type Static } from '@sinclair/typebox';
import { isHarmless } from '../harmless-headers.ts';
import { defineCheckType, type SealedTexts } from './check-type.ts';
import { KEEP_INPUT } from './common.ts';
import { SCRIPT_FILES, SCRIPT_TARGET, scriptParameters } from './script.ts';
import { shownFormat } from './synthetic-formats.ts';
import { SyntheticMetadata } from './synthetic-metadata.ts';

export const SyntheticParameters = Type.Object(
  {
    ...scriptParameters,
    /** whether each test is recorded as a video */
    record_video: Type.Optional(Type.Boolean({ default: false })),
  },
  KEEP_INPUT,
);
export type SyntheticParameters = Static<typeof SyntheticParameters>;

const secretHeader = (name: string): boolean => !isHarmless(name);

/** Headers of requests and responses might contain secrets, which only editors and admins are allowed to see. */
const HEADERS: readonly SealedTexts[] = ['requestHeaders', 'responseHeaders'].flatMap((headers): SealedTexts[] => [
  { path: ['pages', '[]', 'documentRequest', headers, '*'], secret: secretHeader },
  { path: ['pages', '[]', 'network', '[]', headers, '*'], secret: secretHeader },
]);

export const synthetic = defineCheckType({
  name: 'synthetic',
  target: SCRIPT_TARGET,
  parameters: SyntheticParameters,
  requiredParameters: ['pw_script'],
  metadata: SyntheticMetadata,
  secretMetadata: HEADERS,
  shownMetadata: shownFormat,
  files: [
    ...SCRIPT_FILES,
    ['test_results', '[]', 'browser_metadata', 'screenshots', '[]', 'url'],
    ['test_results', '[]', 'browser_metadata', 'videos', '[]', 'url'],
  ],
  credits: 10,
  ownQueue: true,
  maxTimeout: 120,
});
