import type { MultistepMetadata } from '../../../domain/check/types/multistep.ts';
import type { SyntheticMetadata } from '../../../domain/check/types/synthetic-metadata.ts';
import type { TestStep } from '../../../domain/check/types/script.ts';
import { table } from '../../../service/output.ts';
import type { Report } from './report.ts';

const MARKS = { passed: '✓', failed: '✗' } as const;

/** Formats a script run for a terminal: its tests with their steps, its pages, and its logs. */
export const scriptReport: Report = ({ status, error_message, check_metadata }) => {
  const metadata = check_metadata as MultistepMetadata | SyntheticMetadata;
  const { execution_time, logs, test_results, test_summary, notes = [] } = metadata;
  const pages = 'pages' in metadata ? metadata.pages : [];
  return [
    ...(error_message === null ? [status] : indented(`${status}: ${error_message}`, 0)),
    ...test_results.flatMap((test) => [
      '',
      `${MARKS[test.status]} ${test.name} (${milliseconds(test.duration)})`,
      ...test.steps.flatMap((step) => stepLines(step, 1)),
      ...(test.error === null ? [] : indented(test.error, 1)),
    ]),
    ...section(
      'pages',
      pages.map(({ url, duration, networkSummary, webVitals: { FCP, LCP, TTFB } }) => [
        url,
        milliseconds(duration),
        `${networkSummary.count} requests`,
        ...[
          ['TTFB', TTFB],
          ['FCP', FCP],
          ['LCP', LCP],
        ].map(([name, time]) => (typeof time === 'number' ? `${String(name)} ${milliseconds(time)}` : '')),
      ]),
    ),
    ...section(
      'logs',
      logs.flatMap(({ level, message }) => message.split('\n').map((line, at) => [at === 0 ? level : '', line])),
    ),
    ...section(
      'notes',
      notes.map((note) => [note]),
    ),
    '',
    `${test_summary.passed} passed, ${test_summary.failed} failed, ${milliseconds(execution_time)}`,
  ];
};

const stepLines = (step: TestStep, depth: number): string[] => [
  `${'  '.repeat(depth)}${MARKS[step.status]} ${step.name} (${milliseconds(step.duration)})`,
  ...(step.steps ?? []).flatMap((inner) => stepLines(inner, depth + 1)),
];

const indented = (text: string, depth: number): string[] =>
  text.split('\n').map((line) => `${'  '.repeat(depth)}${line}`);

const section = (title: string, rows: string[][]): string[] => {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(({ length }) => length));
  const full = rows.map((row) => [...row, ...Array<string>(width - row.length).fill('')]);
  return [
    '',
    `${title}:`,
    ...table(Array<string>(width).fill(''), full)
      .slice(1)
      .map((line) => `  ${line.trimEnd()}`),
  ];
};

const milliseconds = (time: number): string => `${Math.round(time)} ms`;
