import type { Fields } from '../../fields.ts';
import type { Instant } from '../../time.ts';
import type { SyntheticMetadata } from './synthetic-metadata.ts';

/**
 * Checks that were created before this time show their results in the legacy format
 * (docs/reference/scripts.md#legacy-format).
 */
export const LEGACY_UNTIL: Instant = '2025-07-09T00:00:00.000000';

type Page = SyntheticMetadata['pages'][number];
type Timing = NonNullable<Page['documentRequest']>['timing'];

/**
 * Converts the stored metadata of a synthetic result into the format of its check. The conversion happens when a result
 * is read: the stored metadata is the same for both formats, so a rebuilt read model returns the same data.
 *
 * @param created when the check was created; null for a definition without a check
 */
export const shownFormat = (metadata: Fields, created: Instant | null): Fields => {
  if (!isStored(metadata)) return metadata;
  return created !== null && created < LEGACY_UNTIL ? legacyFormat(metadata) : currentFormat(metadata);
};

/** Whether metadata has the stored format. Imported results might have any other content, which is not converted. */
const isStored = (metadata: Fields): metadata is SyntheticMetadata =>
  metadata['response_version'] === 2 && Array.isArray(metadata['pages']) && Array.isArray(metadata['test_results']);

/** Removes the fields that exist for the legacy format only. */
const currentFormat = (metadata: SyntheticMetadata): Fields => ({
  ...metadata,
  pages: metadata.pages.map((page) => ({
    ...without(page, ['domContentLoaded', 'load']),
    network: page.network.map((request) => without(request, ['start', 'size'])),
  })),
});

const without = <T extends object>(fields: T, names: readonly (keyof T & string)[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !(names as readonly string[]).includes(name)));

/** Converts metadata to the legacy format, which contains the first loaded page of a run and one screenshot. */
const legacyFormat = ({ execution_time, pages, test_results }: SyntheticMetadata): Fields => {
  const page = pages.find(({ documentRequest }) => documentRequest !== null);
  const document = page?.documentRequest;
  return {
    function_execution_time: execution_time,
    headers: document?.responseHeaders ?? {},
    navigation_timing: page && document ? navigationTiming(page, document.timing) : null,
    resource_timings: (page?.network ?? []).map(({ time, resourceType, size, start, statusCode, url }) => ({
      duration: time,
      resource_type: resourceType,
      size: size ?? null,
      start_time: start ?? null,
      status: statusCode,
      url,
    })),
    screenshot_path: screenshotOf(test_results),
    status_code: document?.statusCode ?? null,
    total_resources: page?.networkSummary.count ?? 0,
  };
};

/** Returns the first screenshot of a failed test or, without one, the first screenshot of any test. */
const screenshotOf = (tests: SyntheticMetadata['test_results']): string | null => {
  const of = (some: SyntheticMetadata['test_results']): string | undefined =>
    some.flatMap(({ browser_metadata }) => browser_metadata.screenshots)[0]?.url;
  return of(tests.filter(({ status }) => status === 'failed')) ?? of(tests) ?? null;
};

/** Returns durations of phases, and times since the start of the navigation. All are in milliseconds. */
const navigationTiming = (page: Page, timing: Timing): Fields => ({
  dns_lookup: between(timing.domainLookupStart, timing.domainLookupEnd),
  dom_content_loaded: page.domContentLoaded ?? null,
  load_complete: page.load ?? null,
  request_start: at(timing.requestStart),
  response_end: at(timing.responseEnd),
  response_start: at(timing.responseStart),
  ssl_handshake: between(timing.secureConnectionStart, timing.connectEnd),
  tcp_connect: between(timing.connectStart, at(timing.secureConnectionStart) ?? timing.connectEnd),
  total_time: page.duration,
});

const at = (time: number): number | null => (time < 0 ? null : time);

/**
 * Returns the duration of a phase. Returns 0 if the phase did not happen, for example because the connection was reused
 * or does not use TLS.
 */
const between = (from: number, to: number): number => (from < 0 || to < from ? 0 : Math.round((to - from) * 10) / 10);
