import type { JSX } from 'preact';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Link } from '../../parts/link.tsx';
import { regionText } from '../../parts/region-text.ts';
import { StateIcon } from '../../../views/status/state.tsx';
import { language, words } from '../../shell/language.ts';
import { timeText } from '../checks/figures.ts';
import { addressWithQuery } from './change-query.ts';
import { outcomesOf, type RegionalOutcome } from './outcomes.ts';
import type { Run } from './run.ts';

/** The results of a run on demand, each of which can be opened. */
export const RunPanel = ({ run, onClose }: { run: Run; onClose: () => void }): JSX.Element => {
  const { check: says, close } = words.value;
  if (run.status === 'refused') return <FailureLine failure={run.failure} />;
  const { job } = run;
  return (
    <section class="run" role="status" aria-label={says.runTitle}>
      <header>
        <h2>{says.runTitle}</h2>
        <button class="icon-button" aria-label={close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {run.status === 'running' && <p>{job?.status === 'started' ? says.runStarted : says.runQueued}</p>}
      {job?.error_message != null && (
        <p class="problem">
          <bdi>{job.error_message}</bdi>
        </p>
      )}
      {job && outcomesOf(job).length > 0 && (
        <ul>
          {outcomesOf(job).map((outcome) => (
            <Outcome key={outcome.region} outcome={outcome} />
          ))}
        </ul>
      )}
    </section>
  );
};

const Outcome = ({
  outcome: { region, status, response_time, error_message, result_id },
}: {
  outcome: RegionalOutcome;
}) => {
  const { check: says } = words.value;
  return (
    <li>
      <StateIcon state={status === 'ok' ? 'operational' : 'major'} />
      <bdi>{regionText(region)}</bdi>
      <span>{says.outcomes[status]}</span>
      <span class="number">{timeText(response_time, language.value)}</span>
      {error_message !== null && <bdi class="detail">{error_message}</bdi>}
      {result_id !== null && <Link to={addressWithQuery({ result: result_id, tab: null })}>{says.showResult}</Link>}
    </li>
  );
};
