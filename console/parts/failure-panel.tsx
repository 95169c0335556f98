import type { JSX } from 'preact';
import type { Failure } from '../api/failure.ts';
import { words } from '../shell/language.ts';
import { Panel } from './panel.tsx';

/** What a failure means, in the language of the console where we have words for it, else as the service says it. */
export const sentenceOf = ({ status, message, retryAfter }: Failure): string => {
  const { unreachable, forbidden, tooMany } = words.value.failure;
  if (status === 0) return unreachable;
  if (status === 403) return forbidden;
  if (status === 429) return tooMany(retryAfter ?? 1);
  return message;
};

/** Says that something could not be loaded, and offers to try again. */
export const FailurePanel = ({ failure, again }: { failure: Failure; again: () => void }): JSX.Element => {
  const { title, tryAgain, request } = words.value.failure;
  return (
    <Panel title={title} text={sentenceOf(failure)} alert>
      <button class="button" onClick={again}>
        {tryAgain}
      </button>
      {failure.requestId !== null && (
        <p class="fine">
          {request} <code>{failure.requestId}</code>
        </p>
      )}
    </Panel>
  );
};
