import type { JSX } from 'preact';
import { Moment } from '../../../parts/times/since.tsx';
import { words } from '../../../shell/language.ts';
import type { Incident } from './draft.ts';

export interface OthersNoticeProps {
  /** updates that other users have published since the draft was started, newest first */
  updates: Incident['incident_updates'];
  /** called when the writer confirms to have read the updates */
  onSeen: () => void;
}

/** Shows the updates that other users published while the user was writing an update. */
export const OthersNotice = ({ updates, onSeen }: OthersNoticeProps): JSX.Element => {
  const { incidents: says } = words.value;
  return (
    <div class="notice others" role="alert">
      <div>
        <p>
          <strong>{says.othersPublished}</strong>
        </p>
        {updates.map((update) => (
          <blockquote key={update.id}>
            <p class="fine">
              {says.statuses[update.status]} · <Moment instant={update.created_at} />
            </p>
            <p class="body" dir="auto">
              {update.body}
            </p>
          </blockquote>
        ))}
      </div>
      <button type="button" class="button" onClick={onSeen}>
        {says.keepDraft}
      </button>
    </div>
  );
};
