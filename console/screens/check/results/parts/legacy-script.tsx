import type { JSX } from 'preact';
import { language, words } from '../../../../shell/language.ts';
import { timeText } from '../../../checks/figures.ts';
import { fieldsOf, numberOf, rowsOf, textOf, type Fields } from '../values.ts';
import { Files } from './files.tsx';
import { LegacyRequests } from './page.tsx';
import { KnownFacts, Pairs, Part } from './shared.tsx';

/** The content of a synthetic result in the format of checks created before July 2025. */
export const LegacyScriptPart = ({ metadata }: { metadata: Fields }): JSX.Element => {
  const { result: says } = words.value;
  const timing = Object.entries(fieldsOf(metadata['navigation_timing']));
  const screenshot = textOf(metadata['screenshot_path']);
  const runTime = numberOf(metadata['function_execution_time']);
  return (
    <>
      <KnownFacts
        facts={[
          [says.statusCode, metadata['status_code']],
          [says.runTime, runTime, timeText(runTime, language.value)],
          [says.requests, metadata['total_resources']],
        ]}
      />
      {timing.length > 0 && (
        <Part title={says.timings}>
          <KnownFacts
            facts={timing.map(([name, value]) => [name, numberOf(value), timeText(numberOf(value), language.value)])}
          />
        </Part>
      )}
      <Files
        title={says.screenshots}
        files={screenshot === null ? [] : [{ name: says.screenshots, contentType: 'image/png', link: screenshot }]}
      />
      <Pairs title={says.headers} pairs={fieldsOf(metadata['headers'])} />
      <LegacyRequests requests={rowsOf(metadata['resource_timings'])} />
    </>
  );
};
