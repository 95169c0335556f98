import type { JSX } from 'preact';
import { Gate } from '../../parts/gate.tsx';
import { startSession } from '../../session/session.ts';
import { words } from '../../shell/language.ts';

/** Shown if the service did not respond when the console was opened. */
export const Unreachable = (): JSX.Element => {
  const { title, unreachable, tryAgain } = words.value.failure;
  return (
    <Gate title={title}>
      <p>{unreachable}</p>
      <button class="button primary wide" onClick={() => void startSession()}>
        {tryAgain}
      </button>
    </Gate>
  );
};
