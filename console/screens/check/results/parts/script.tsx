import type { JSX } from 'preact';
import { StateIcon } from '../../../../../views/status/state.tsx';
import { language, words } from '../../../../shell/language.ts';
import { timeText } from '../../../checks/figures.ts';
import { fieldsOf, numberOf, rowsOf, textOf, textsOf, type Fields } from '../values.ts';
import { Files, filesOf } from './files.tsx';
import { PageParts } from './page.tsx';
import { KnownFacts, Part, Text } from './shared.tsx';
import { Excerpt } from './web.tsx';

/** Maximum nesting of displayed steps. Real scripts have fewer levels. */
const DEEPEST = 10;

/** The content of a script's result: tests with their steps, output, files, and visited pages. */
export const ScriptPart = ({ metadata }: { metadata: Fields }): JSX.Element => {
  const { result: says } = words.value;
  const summary = fieldsOf(metadata['test_summary']);
  const tests = rowsOf(metadata['test_results']);
  const browsers = tests.map((test) => fieldsOf(test['browser_metadata']));
  return (
    <>
      <KnownFacts
        facts={[
          [says.passed, summary['passed']],
          [says.failed, summary['failed']],
          [says.runTime, numberOf(metadata['execution_time']), <Time value={metadata['execution_time']} />],
          [says.browser, browsers.flatMap((one) => textOf(one['browser']) ?? [])[0]],
        ]}
      />
      {tests.length > 0 && (
        <Part title={says.tests}>
          <ul class="steps">
            {tests.map((test, index) => (
              <Step key={index} step={test} depth={0} />
            ))}
          </ul>
        </Part>
      )}
      <Files title={says.screenshots} files={browsers.flatMap((one) => filesOf(rowsOf(one['screenshots'])))} />
      <Files title={says.videos} files={browsers.flatMap((one) => filesOf(rowsOf(one['videos'])))} />
      <Log entries={rowsOf(metadata['logs'])} />
      <Files title={says.wholeLog} files={filesOf([fieldsOf(metadata['full_logs'])])} />
      <PageParts pages={rowsOf(metadata['pages'])} />
    </>
  );
};

const Time = ({ value }: { value: unknown }): JSX.Element => <>{timeText(numberOf(value), language.value)}</>;

const Step = ({ step, depth }: { step: Fields; depth: number }): JSX.Element => {
  const steps = depth < DEEPEST ? rowsOf(step['steps']) : [];
  const errors = [step['error'], ...textsOf(step['softAssertionErrors'])].flatMap((one) => textOf(one) ?? []);
  const isFailed = step['status'] === 'failed';
  const { result: says } = words.value;
  return (
    <li>
      <span class="step">
        <StateIcon state={isFailed ? 'major' : 'operational'} />
        <span class="hidden">{isFailed ? says.failed : says.passed}</span>
        <Text value={step['name']} />
        <span class="number">
          <Time value={step['duration']} />
        </span>
      </span>
      {errors.map((error, index) => (
        <Excerpt key={index} text={error} />
      ))}
      {steps.length > 0 && (
        <ul>
          {steps.map((one, index) => (
            <Step key={index} step={one} depth={depth + 1} />
          ))}
        </ul>
      )}
    </li>
  );
};

/** The output of the script. */
const Log = ({ entries }: { entries: readonly Fields[] }): JSX.Element | null => {
  const { result: says } = words.value;
  if (entries.length === 0) return null;
  return (
    <Part title={says.log}>
      <ol class="log" tabIndex={0}>
        {entries.map((entry, index) => (
          <li key={index} class={entry['level'] === 'error' ? 'error' : undefined}>
            <code>
              <Text value={clockOf(textOf(entry['timestamp']))} /> <Text value={entry['level']} />
            </code>{' '}
            <Text value={entry['message']} />
          </li>
        ))}
      </ol>
    </Part>
  );
};

/**
 * Returns the time of day in a timestamp. The date is omitted, because all lines of a log are from the same few
 * minutes.
 */
const clockOf = (time: string | null): string | null => /T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(time ?? '')?.[1] ?? time;
