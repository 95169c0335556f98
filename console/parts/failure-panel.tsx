import type { JSX } from 'preact';
import type { Failure } from '../api/failure.ts';
import { words } from '../shell/language.ts';
import { Panel } from './panel.tsx';

/**
 * Returns the message for a failure, in the console's language if there is a translation, otherwise as the service
 * wrote it.
 */
export const sentenceOf = ({ status, message, retryAfter }: Failure): string => {
  const { unreachable, forbidden, tooMany } = words.value.failure;
  if (status === 0) return unreachable;
  if (status === 403) return forbidden;
  if (status === 429) return tooMany(retryAfter ?? 1);
  return message;
};

/** An error panel for content that could not be loaded, with a retry button. */
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
