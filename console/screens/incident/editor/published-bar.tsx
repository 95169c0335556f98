import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Failure } from '../../../api/failure.ts';
import { sentenceOf } from '../../../parts/failure-panel.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { navigate, currentLocation } from '../../../router/router.ts';
import { words } from '../../../shell/language.ts';
import { forgetPublished, published, undoPublication, type Published } from './published.ts';

/** Time for which the bar stays visible after messages are sent, in milliseconds. */
const AFTER_MS = 4_000;

/**
 * Confirms a publication and counts down until its messages are sent. Until the messages are sent, the user can undo
 * the publication.
 */
export const PublishedBar = (): JSX.Element | null =>
  published.value && <Countdown key={published.value.until} what={published.value} />;

const secondsLeft = ({ until }: Published): number => Math.max(0, Math.ceil((until - Date.now()) / 1_000));

const Countdown = ({ what }: { what: Published }): JSX.Element => {
  const left = useSignal(secondsLeft(what));
  const busy = useSignal(false);
  const failure = useSignal<Failure | null>(null);
  const { common, close, incidents: says } = words.value;
  useEffect(() => {
    const timer = setInterval(() => {
      left.value = secondsLeft(what);
      if (Date.now() > what.until + AFTER_MS && failure.value === null && !busy.value) forgetPublished();
    }, 250);
    return () => {
      clearInterval(timer);
    };
  }, []);
  const undo = async (): Promise<void> => {
    busy.value = true;
    failure.value = null;
    try {
      await undoPublication(what);
      const { page_id, incident_id, kind } = what.place;
      const back =
        incident_id === null
          ? `/pages/${page_id}/incidents/new${kind === 'maintenance' ? '?kind=maintenance' : ''}`
          : `/pages/${page_id}/incidents/${incident_id}`;
      if (currentLocation.peek().path !== back) navigate(back);
    } catch (error) {
      failure.value = error as Failure;
    } finally {
      busy.value = false;
    }
  };
  const isOpen = left.value > 0;
  return (
    <div class="toast published">
      <span role="status">{isOpen ? says.published : what.notifies ? says.sending : says.published}</span>
      {isOpen && what.notifies && (
        <span class="countdown" role="timer">
          {says.sentIn(left.value)}
        </span>
      )}
      {failure.value !== null && (
        <span class="problem" role="alert">
          {sentenceOf(failure.value)}
        </span>
      )}
      {isOpen ? (
        <button class="button" disabled={busy.value} onClick={() => void undo()}>
          {common.undo}
        </button>
      ) : (
        <button class="icon-button" aria-label={close} onClick={forgetPublished}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
};
