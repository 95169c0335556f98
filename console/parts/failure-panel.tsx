import type { JSX } from 'preact';
import { NoPast, type Failure } from '../api/failure.ts';
import { words } from '../shell/language.ts';
import { Panel } from './panel.tsx';

/**
 * Returns the message for a failure, in the console's language if there is a translation, otherwise as the service
 * wrote it.
 */
export const sentenceOf = (failure: Failure): string => {
  const { status, message, retryAfter } = failure;
  const { unreachable, forbidden, tooMany } = words.value.failure;
  if (failure instanceof NoPast) return words.value.past.noPast;
  if (status === 0) return unreachable;
  if (status === 403) return forbidden;
  if (status === 429) return tooMany(retryAfter ?? 1);
  return message;
};

/** An error panel for content that could not be loaded, with a retry button. */
export const FailurePanel = ({ failure, again }: { failure: Failure; again: () => void }): JSX.Element => {
  const { title, tryAgain, request } = words.value.failure;
  if (failure instanceof NoPast) return <p class="notice">{sentenceOf(failure)}</p>;
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
