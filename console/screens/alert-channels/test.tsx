import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Failure } from '../../api/failure.ts';
import type { Schemas } from '../../api/openapi.d.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { language, words } from '../../shell/language.ts';
import { timeText } from '../checks/figures.ts';
import type { ChannelType } from './draft.ts';

type Outcome = Schemas['AlertChannelTest'];

export interface Test {
  busy: boolean;
  /** null: not tested yet */
  outcome: Outcome | null;
  failure: Failure | null;
  start: () => void;
  /** runs the test; throws the Failure if the API rejects the request */
  run: () => Promise<void>;
}

/** Manages a channel test. @param send sends the test message */
export const useTest = (send: () => Promise<Outcome>): Test => {
  const busy = useSignal(false);
  const outcome = useSignal<Outcome | null>(null);
  const failure = useSignal<Failure | null>(null);
  const run = async (): Promise<void> => {
    busy.value = true;
    outcome.value = null;
    failure.value = null;
    try {
      outcome.value = await send();
    } finally {
      busy.value = false;
    }
  };
  return {
    busy: busy.value,
    outcome: outcome.value,
    failure: failure.value,
    run,
    start: () => {
      run().catch((error: unknown) => {
        failure.value = error as Failure;
      });
    },
  };
};

/** The outcome of a test. */
export const TestOutcome = ({ test, type }: { test: Test; type: ChannelType }): JSX.Element => {
  const { alertChannels: says } = words.value;
  const { busy, outcome, failure } = test;
  return (
    <div class="test-outcome" role="status">
      {busy && <p class="fine">{says.testing}</p>}
      {outcome?.success === true && (
        <p class="state-text state-operational">
          {type === 'statuspage' ? says.found : says.delivered(timeText(outcome.response_time, language.value))}
        </p>
      )}
      {outcome?.success === false && (
        <p class="problem">
          {says.failed} <bdi>{outcome.error_message}</bdi>
          {outcome.status_code !== null && ` (${outcome.status_code})`}
        </p>
      )}
      {failure && <FailureLine failure={failure} />}
    </div>
  );
};
