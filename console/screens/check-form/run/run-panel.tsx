import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Schemas } from '../../../api/openapi.d.ts';
import { StateIcon } from '../../../../views/status/state.tsx';
import { FailureLine } from '../../../parts/failure-line.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { regionText } from '../../../parts/region-text.ts';
import { language, words } from '../../../shell/language.ts';
import { timeText } from '../../checks/figures.ts';
import { valueAt } from '../paths.ts';
import { factsOf, scriptRunOf, type Outcome, type ResultFact } from './facts-of.ts';
import { regionRuns, type RegionRun } from './job.ts';
import type { TestRun } from './test-run.ts';

export interface RunPanelProps {
  run: TestRun;
  busy: boolean;
  /** whether the script has bound secrets; test runs do not receive them */
  hasSecrets: boolean;
  onRun: () => void;
  /** runs the saved check; null: the check is not saved yet, or the form has unsaved changes */
  onRunSaved: (() => void) | null;
}

/** The panel next to the form that starts a test run and shows its progress and outcome. */
export const RunPanel = ({ run, busy, hasSecrets, onRun, onRunSaved }: RunPanelProps): JSX.Element => {
  const id = useId();
  const { test: says } = words.value.checkForm;
  const isRunning = run.status === 'queued' || run.status === 'started';
  return (
    <section class="test-run" aria-labelledby={id}>
      <header>
        <h2 id={id}>{says.title}</h2>
        <button type="button" class="button" aria-disabled={busy || isRunning} onClick={onRun}>
          {run.status === 'none' ? says.run : says.again}
        </button>
      </header>
      {run.status === 'none' && <p class="hint">{says.text}</p>}
      {hasSecrets && <p class="notice">{says.noSecrets}</p>}
      {hasSecrets && onRunSaved && (
        <button type="button" class="button" aria-disabled={busy || isRunning} onClick={onRunSaved}>
          {says.runSaved}
        </button>
      )}
      <div aria-live="polite">
        {isRunning && <p class="running">{run.status === 'queued' ? says.queued : says.started}</p>}
        {run.status === 'failed' && <FailureLine failure={run.failure} />}
        {run.status === 'over' && <FinishedRun {...run} />}
      </div>
    </section>
  );
};

/** Returns the text for a run's outcome. */
const outcomeWord = (status: RegionRun['status']): string => {
  const { passed, failed, timedOut } = words.value.checkForm.test;
  return status === 'ok' ? passed : status === 'timeout' ? timedOut : failed;
};

const FinishedRun = ({ job, result }: Extract<TestRun, { status: 'over' }>): JSX.Element => {
  const { test: says } = words.value.checkForm;
  const runs = regionRuns(job);
  const [only] = runs;
  const worst = runs.find(({ status }) => status !== 'ok') ?? only;
  const isGood = job.status === 'completed' && runs.every(({ status }) => status === 'ok');
  const sentence = worst?.error_message ?? job.error_message;
  return (
    <>
      <p class={`verdict state-${isGood ? 'operational' : 'major'}`}>
        <StateIcon state={isGood ? 'operational' : 'major'} />
        <strong>{worst ? outcomeWord(worst.status) : says.failed}</strong>
        {only && runs.length === 1 && only.response_time !== null && (
          <span>{timeText(only.response_time, language.value)}</span>
        )}
        {only && runs.length === 1 && <bdi class="fine">{regionText(only.region)}</bdi>}
      </p>
      {sentence !== null && (
        <p class="sentence">
          <bdi>{sentence}</bdi>
        </p>
      )}
      {runs.length > 1 && <Regions runs={runs} />}
      {result && <Result result={result} />}
    </>
  );
};

const Regions = ({ runs }: { runs: readonly RegionRun[] }): JSX.Element => (
  <ul class="region-runs" aria-label={words.value.checkForm.test.regions}>
    {runs.map(({ region, status, response_time }) => (
      <li key={region}>
        <StateIcon state={status === 'ok' ? 'operational' : 'major'} />
        <bdi>{regionText(region)}</bdi>
        <span class="fine">{outcomeWord(status)}</span>
        <span class="fine">{timeText(response_time, language.value)}</span>
      </li>
    ))}
  </ul>
);

const factText = (fact: ResultFact): JSX.Element => {
  if ('text' in fact) return <bdi>{fact.text}</bdi>;
  if ('days' in fact) return <>{words.value.checkForm.test.daysLeft(fact.days)}</>;
  return fact.list.length === 0 ? (
    <>–</>
  ) : (
    <>
      {fact.list.map((one) => (
        <bdi key={one}>{one} </bdi>
      ))}
    </>
  );
};

const Result = ({ result }: { result: Schemas['ResultOfAll'] }): JSX.Element => {
  const { test: says } = words.value.checkForm;
  const { check_metadata: metadata } = result;
  const facts = factsOf(metadata, Date.now());
  const excerpt = valueAt(metadata, 'body_excerpt');
  const script = scriptRunOf(metadata);
  return (
    <>
      {facts.length > 0 && <Facts facts={facts.map((fact) => [says[fact.name], factText(fact)] as const)} />}
      {typeof excerpt === 'string' && excerpt !== '' && (
        <>
          <h3>{says.beginning}</h3>
          <pre class="output" tabIndex={0} role="region" aria-label={says.beginning}>
            {excerpt}
          </pre>
        </>
      )}
      {script && script.tests.length > 0 && (
        <>
          <h3>{says.tests}</h3>
          <Outcomes outcomes={script.tests} />
        </>
      )}
      {script && (
        <>
          <h3>{says.log}</h3>
          {script.logs.length === 0 ? (
            <p class="hint">{says.noLog}</p>
          ) : (
            <pre class="output" tabIndex={0} role="region" aria-label={says.log}>
              {script.logs.map(({ level, message }, index) => (
                <span key={index} class={`log-${/^(?:warn|error)$/.test(level) ? level : 'log'}`}>
                  {`${message}\n`}
                </span>
              ))}
            </pre>
          )}
        </>
      )}
      {script && script.notes.length > 0 && (
        <>
          <h3>{says.notes}</h3>
          {script.notes.map((note) => (
            <p key={note} class="fine">
              <bdi>{note}</bdi>
            </p>
          ))}
        </>
      )}
    </>
  );
};

/** The tests of a script with their steps. Nested steps are shown if one of them failed. */
const Outcomes = ({ outcomes }: { outcomes: readonly Outcome[] }): JSX.Element => (
  <ul class="outcomes">
    {outcomes.map(({ name, passed, duration, error, steps }, index) => (
      <li key={index}>
        <span class={`state-${passed ? 'operational' : 'major'}`}>
          <StateIcon state={passed ? 'operational' : 'major'} />
        </span>
        <span class="hidden">{outcomeWord(passed ? 'ok' : 'failed')}</span>
        <bdi>{name}</bdi> <span class="fine">{timeText(duration, language.value)}</span>
        {!passed && error !== null && steps.every((step) => step.passed) && (
          <p class="fine">
            <bdi>{error}</bdi>
          </p>
        )}
        {steps.length > 0 && <Outcomes outcomes={steps.filter(isShown)} />}
      </li>
    ))}
  </ul>
);

/**
 * Returns whether a step is shown. Playwright's own setup and cleanup steps are hidden, unless they failed or contain
 * other steps.
 */
const isShown = ({ passed, steps, name }: Outcome): boolean =>
  !passed || steps.length > 0 || !/^(?:Before Hooks|After Hooks|Worker Cleanup)$/.test(name);
