import { STAGED } from '../../../domain/check/file-references.ts';
import type { ResultFile } from '../../../domain/check/types/script.ts';
import type { OutcomeFile } from '../../engine/check-type.ts';
import type { RecordedFile, RunRecord } from '../record.ts';
import { LONGEST_NAME } from './steps.ts';
import type { ShowText } from './texts.ts';

/**
 * The types of files that browsers may display. Files of other types are only downloaded, because they may not contain
 * what their names suggest.
 */
const MEDIA_TYPES: Readonly<Record<RecordedFile['role'], RegExp>> = {
  screenshot: /^image\/(?:png|jpeg)$/,
  video: /^video\/webm$/,
};

/** A file to be staged. */
export interface NamedFile extends Omit<OutcomeFile, 'staged'> {
  /** path of the content */
  path: string;
}

/** The files of a run, with their names in the results of its tests. */
export interface NamedFiles {
  files: NamedFile[];
  /** Returns the files of a test. @param place index of the test in the record */
  of: (place: number, role: RecordedFile['role']) => ResultFile[];
}

/**
 * Names the files of a run.
 *
 * @param first index of the test that is shown first; files that belong to no test are shown with this test
 */
export const namedFiles = ({ files }: RunRecord, first: number, shown: ShowText): NamedFiles => {
  const all = files.map((file, place) => ({ test: file.test ?? first, named: named(file, place, shown) }));
  return {
    files: all.map(({ named: one }) => one),
    of: (place, role) =>
      all
        .filter(({ test, named: one }) => test === place && one.role === role)
        .map(({ named: { media_type: contentType, name, reference: url } }) => ({ contentType, name, url })),
  };
};

const named = ({ role, name, contentType, path, size }: RecordedFile, place: number, shown: ShowText): NamedFile => ({
  reference: `${STAGED}${place}`,
  role,
  name: shown(name, LONGEST_NAME),
  media_type: MEDIA_TYPES[role].test(contentType) ? contentType : 'application/octet-stream',
  path,
  size,
});

/** The file with the full output of a run, as it appears in the result. */
export const FULL_LOGS: ResultFile = {
  contentType: 'text/plain; charset=utf-8',
  name: 'logs.txt',
  url: `${STAGED}logs`,
};
