import type { JSX } from 'preact';
import { NoPast, type Failure } from '../api/failure.ts';
import { words } from '../shell/language.ts';
import { sentenceOf } from './failure-panel.tsx';

/** An error message next to content that is still shown. */
export const FailureLine = ({ failure, again }: { failure: Failure; again?: () => void }): JSX.Element => {
  const { tryAgain, request } = words.value.failure;
  if (failure instanceof NoPast) return <p class="notice">{sentenceOf(failure)}</p>;
  return (
    <div class="failure-line" role="alert">
      <p>
        {sentenceOf(failure)}
        {failure.requestId !== null && (
          <span class="fine">
            {' '}
            {request} <code>{failure.requestId}</code>
          </span>
        )}
      </p>
      {again && (
        <button class="button" onClick={again}>
          {tryAgain}
        </button>
      )}
    </div>
  );
};
