import { STAGED } from '../../../domain/check/file-references.ts';
import type { ResultFile } from '../../../domain/check/types/script.ts';
import type { OutcomeFile } from '../../engine/check-type.ts';
import type { RecordedFile, RunRecord } from '../record.ts';
import { LONGEST_NAME } from './steps.ts';
import type { Shown } from './texts.ts';

/** What else a file may be is not what its name says, and is downloaded, never shown. */
const MEDIA_TYPES: Readonly<Record<RecordedFile['role'], RegExp>> = {
  screenshot: /^image\/(?:png|jpeg)$/,
  video: /^video\/webm$/,
};

/** A file that is to be staged. */
export interface NamedFile extends Omit<OutcomeFile, 'staged'> {
  /** where its bytes are */
  path: string;
}

/** The files of a run, and how the results of its tests name them. */
export interface NamedFiles {
  files: NamedFile[];
  /** @param place of a test among those recorded */
  of: (place: number, role: RecordedFile['role']) => ResultFile[];
}

/**
 * Names the files that a run has left. A file of no test is shown with the first one.
 *
 * @param first place of the test that is shown first
 */
export const namedFiles = ({ files }: RunRecord, first: number, shown: Shown): NamedFiles => {
  const all = files.map((file, place) => ({ test: file.test ?? first, named: named(file, place, shown) }));
  return {
    files: all.map(({ named: one }) => one),
    of: (place, role) =>
      all
        .filter(({ test, named: one }) => test === place && one.role === role)
        .map(({ named: { media_type: contentType, name, reference: url } }) => ({ contentType, name, url })),
  };
};

const named = ({ role, name, contentType, path, size }: RecordedFile, place: number, shown: Shown): NamedFile => ({
  reference: `${STAGED}${place.toString()}`,
  role,
  name: shown(name, LONGEST_NAME),
  media_type: MEDIA_TYPES[role].test(contentType) ? contentType : 'application/octet-stream',
  path,
  size,
});

/** How the whole output of a run is named in its result. */
export const FULL_LOGS: ResultFile = {
  contentType: 'text/plain; charset=utf-8',
  name: 'logs.txt',
  url: `${STAGED}logs`,
};
