import type { MultistepMetadata } from '../../../domain/check/types/multistep.ts';
import type { TestStep } from '../../../domain/check/types/script.ts';
import type { SyntheticMetadata } from '../../../domain/check/types/synthetic-metadata.ts';
import { cut } from './texts.ts';

/** Maximum size of the `check_metadata` of a stored result as JSON, in bytes. */
export const MAX_METADATA_BYTES = 262_144;

/**
 * Bytes reserved for what runners/worker/result-files.ts adds: the references of stored files, and the reasons why some
 * were not stored.
 */
const RESERVED = 4_096;

type Metadata = MultistepMetadata | SyntheticMetadata;

/** Maximum length of an error when space is short, in characters. */
const SHORT_ERROR = 300;

/**
 * Shortens metadata until its JSON fits the limit, and sets `truncated`. Removes the headers of requests first, then
 * the oldest logs, then steps, then other parts. This always succeeds, because in the end all lists are empty.
 */
export const fitScriptMetadata = <M extends Metadata>(whole: M): M => {
  const limit = MAX_METADATA_BYTES - RESERVED;
  if (bytesOf(whole) <= limit) return whole;
  const metadata = structuredClone(whole);
  metadata.truncated = true;
  let size = bytesOf(metadata);

  /** Replaces a value by a smaller one, unless the metadata fits already. */
  const replace = <T extends object, F extends keyof T>(owner: T, field: F, smaller: T[F]): void => {
    if (size <= limit) return;
    size -= bytesOf(owner[field]) - bytesOf(smaller);
    owner[field] = smaller;
  };

  /** Removes elements in the given order, until the metadata fits. */
  const leaveOut = <T>(list: T[], order: readonly T[]): void => {
    const gone = new Set<T>();
    for (const element of order) {
      if (size <= limit) break;
      size -= bytesOf(element) + 1;
      gone.add(element);
    }
    if (gone.size > 0) list.splice(0, list.length, ...list.filter((element) => !gone.has(element)));
  };

  const pages = 'pages' in metadata ? [...metadata.pages].reverse() : [];
  const tests: (Metadata['test_results'][number] & { softAssertionErrors?: string[] })[] = metadata.test_results;
  const [passed, failed] = [tests.filter(isPassed).reverse(), tests.filter((test) => !isPassed(test)).reverse()];

  for (const { network } of pages) {
    for (const request of [...network].reverse()) {
      replace(request, 'requestHeaders', {});
      replace(request, 'responseHeaders', {});
    }
  }

  leaveOut(metadata.logs, [...metadata.logs]);

  for (const test of passed) replace(test, 'steps', test.steps.map(alone));
  for (const test of passed) replace(test, 'steps', []);
  for (const test of failed) replace(test, 'steps', test.steps.map(onTheWay));
  for (const test of failed)
    replace(
      test,
      'steps',
      test.steps.filter((step) => !isPassed(step)),
    );
  for (const test of failed) replace(test, 'steps', []);

  for (const page of pages) {
    if (size > limit && page.network.length > 0) page.networkSummary.truncated = true;
    leaveOut(page.network, [...page.network].reverse());
  }
  for (const { documentRequest } of pages) {
    if (!documentRequest) continue;
    replace(documentRequest, 'requestHeaders', {});
    replace(documentRequest, 'responseHeaders', {});
  }
  for (const test of failed) if (test.softAssertionErrors) replace(test, 'softAssertionErrors', []);
  for (const test of failed) replace(test, 'error', test.error === null ? null : cut(test.error, SHORT_ERROR));
  if ('pages' in metadata) leaveOut(metadata.pages, pages);
  leaveOut(tests, [...passed, ...failed]);
  if (metadata.notes) leaveOut(metadata.notes, [...metadata.notes].reverse());
  return metadata;
};

const isPassed = ({ status }: Pick<TestStep, 'status'>): boolean => status === 'passed';

/** Returns a step without its substeps. */
const alone = ({ name, status, duration, error }: TestStep): TestStep => ({ name, status, duration, error });

/** Removes the substeps of passed steps, at all levels. */
const onTheWay = (step: TestStep): TestStep => {
  if (isPassed(step) || !step.steps) return alone(step);
  return { ...step, steps: step.steps.map(onTheWay) };
};

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
