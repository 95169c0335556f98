import { STAGED } from '../../../domain/check/file-references.ts';
import type { ResultFile } from '../../../domain/check/types/script.ts';
import type { OutcomeFile } from '../../probe/check-type.ts';
import type { RecordedFile, RunRecord } from '../record.ts';
import { LONGEST_NAME } from './steps.ts';
import type { Shown } from './texts.ts';

/** A run keeps 20 files (stores/artifacts/limits.ts); one of them may be its logs. */
const MOST_FILES = 19;

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

/** The files of a run that are kept, and how the results of its tests name them. */
export interface NamedFiles {
  files: NamedFile[];
  /** @param place of a test among those recorded */
  of: (place: number, role: RecordedFile['role']) => ResultFile[];
  /** how many were left out */
  leftOut: number;
}

/**
 * Names the files that a run has left. If there are too many, those of failed tests are kept, and of these the last
 * ones, which show what failed. A file of no test is shown with the first one.
 *
 * @param first place of the test that is shown first
 */
export const namedFiles = ({ files, tests }: RunRecord, first: number, shown: Shown): NamedFiles => {
  const ranked = files
    .map((file, index) => ({ file, index, test: file.test ?? first }))
    .sort((one, other) => failing(tests[one.test]) - failing(tests[other.test]) || other.index - one.index);
  const kept = ranked
    .slice(0, MOST_FILES)
    .sort((one, other) => one.index - other.index)
    .map(({ file, test }, place) => ({ file, test, named: named(file, place, shown) }));
  return {
    files: kept.map(({ named: one }) => one),
    of: (place, role) =>
      kept
        .filter(({ file, test }) => test === place && file.role === role)
        .map(({ named: { media_type: contentType, name, reference: url } }) => ({ contentType, name, url })),
    leftOut: files.length - kept.length,
  };
};

/** Failed tests come first. */
const failing = (test: RunRecord['tests'][number] | undefined): number =>
  test === undefined || test.status === 'passed' || test.status === 'skipped' ? 1 : 0;

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
