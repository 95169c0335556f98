import type { MultistepMetadata } from '../../../domain/check/types/multistep.ts';
import type { SyntheticMetadata } from '../../../domain/check/types/synthetic-metadata.ts';
import type { Outcome } from '../../engine/check-type.ts';
import type { RunRecord } from '../record.ts';
import { FULL_LOGS, namedFiles, type NamedFile } from './files.ts';
import { fitScriptMetadata } from './fit-metadata.ts';
import { shownLogs, type ShownLogs } from './logs.ts';
import { pagesOf } from './pages.ts';
import { LONGEST_NAME, rounded } from './steps.ts';
import { countsOf, testsOf } from './tests.ts';
import { createTexts, type ShowText } from './texts.ts';
import { verdictOn } from './verdict.ts';

/** Settings that the outcome of a script depends on, in addition to the record of its run. */
export interface RunSettings {
  /** values of the check's secrets, by environment variable */
  secrets?: Readonly<Record<string, string>>;
  /** time limit of the run, in milliseconds */
  timeout: number;
}

/** The outcome of a script before its files are staged (stage.ts). */
export interface ScriptOutcome {
  outcome: Omit<Outcome, 'files'>;
  /** files that the metadata refers to */
  files: NamedFile[];
  /** the full output, if the metadata refers to it as a file; otherwise null */
  fullLogs: string | null;
}

const LONGEST_NOTE = 500;
const MOST_NOTES = 50;

/**
 * Composes the outcome of a script's run. Masks all texts before it shortens them. Does not trust any text, because the
 * script may have invented it.
 */
export const outcomeOf = (record: RunRecord, { secrets = {}, timeout }: RunSettings): ScriptOutcome => {
  const { shown, areCut } = createTexts(Object.values(secrets));
  const verdict = verdictOn(record, timeout, shown);
  const logs = shownLogs(record, shown);
  const { metadata, files } = (record.kind === 'synthetic' ? syntheticParts : multistepParts)(record, logs, shown);
  const fitted = withLogs(areCut() ? { ...metadata, truncated: true } : metadata, logs);
  const references = new Set(namedIn(fitted));
  return {
    outcome: { ...verdict, check_metadata: fitted },
    files: files.filter(({ reference }) => references.has(reference)),
    fullLogs: fitted.full_logs ? logs.text() : null,
  };
};

type Metadata = MultistepMetadata | SyntheticMetadata;

/** Shortens metadata to its limit. If this shortens the logs, adds a reference to a file with the full logs. */
const withLogs = (metadata: Metadata, logs: ShownLogs): Metadata => {
  const fitted = fitScriptMetadata(metadata);
  if (!logs.cut && fitted.logs.length === metadata.logs.length) return fitted;
  return fitScriptMetadata({ ...metadata, truncated: true, full_logs: FULL_LOGS });
};

/** Returns the references to files in the results of tests. */
const namedIn = (metadata: Metadata): string[] =>
  metadata.test_results
    .flatMap((test) => ('browser_metadata' in test ? [test.browser_metadata] : []))
    .flatMap(({ screenshots, videos }) => [...screenshots, ...videos].map(({ url }) => url));

interface Parts {
  metadata: Metadata;
  files: NamedFile[];
}

const multistepParts = (record: RunRecord, logs: ShownLogs, shown: ShowText): Parts => {
  const { tests, cut } = testsOf(record, shown);
  const metadata: MultistepMetadata = {
    execution_time: rounded(record.execution_time),
    logs: logs.entries,
    test_results: tests.map(({ result }) => result),
    test_summary: { duration: rounded(record.execution_time), ...countsOf(record.tests) },
    ...notesOf(record, record.files.length + record.filesLeftOut, shown),
    ...(cut && { truncated: true }),
  };
  return { metadata, files: [] };
};

const syntheticParts = (record: RunRecord, logs: ShownLogs, shown: ShowText): Parts => {
  const { tests, cut } = testsOf(record, shown);
  const { pages, cut: fewerPages } = pagesOf(record.pages, shown);
  const named = namedFiles(record, tests[0]?.place ?? 0, shown);
  const browser = shown(record.browser ?? 'unknown', LONGEST_NAME);
  const metadata: SyntheticMetadata = {
    execution_time: rounded(record.execution_time),
    logs: logs.entries,
    pages,
    response_version: 2,
    test_results: tests.map(({ place, result: { name, status, duration, error, steps } }) => ({
      name,
      status,
      duration,
      error,
      steps,
      browser_metadata: {
        browser,
        screenshots: named.of(place, 'screenshot'),
        videos: named.of(place, 'video'),
      },
    })),
    test_summary: countsOf(record.tests),
    ...notesOf(record, record.filesLeftOut, shown),
    ...((cut || fewerPages) && { truncated: true }),
  };
  return { metadata, files: named.files };
};

/** Returns sentences about what was left out or skipped. */
const notesOf = ({ notes, logsCut, tests }: RunRecord, filesLeftOut: number, shown: ShowText): { notes?: string[] } => {
  const skipped = tests.filter(({ status }) => status === 'skipped').length;
  const all = [
    ...notes.slice(0, MOST_NOTES).map((note) => shown(note, LONGEST_NOTE)),
    ...(logsCut ? ['The script wrote more logs than are stored.'] : []),
    ...(skipped > 0 ? [`The script skipped ${skipped === 1 ? 'a test' : `${skipped} tests`}.`] : []),
    ...(filesLeftOut > 0 ? [`${filesLeftOut === 1 ? 'A file was' : `${filesLeftOut} files were`} left out.`] : []),
  ];
  return all.length === 0 ? {} : { notes: all };
};
