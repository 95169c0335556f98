import type { JSX } from 'preact';
import { words } from '../../shell/language.ts';
import type { Submit } from './use-submit.ts';

export interface ChangedMeanwhileProps {
  of: Submit;
  /** loads the version that another user saved */
  onLoad: () => void;
  /** overwrites the version that another user saved */
  onSave: () => Promise<void>;
}

/** Offers both versions if another user changed the resource after the form was loaded (412). */
export const ChangedMeanwhile = ({ of, onLoad, onSave }: ChangedMeanwhileProps): JSX.Element | null => {
  const { changedMeanwhile, loadTheirs, saveAnyway } = words.value.common;
  if (of.failure.value?.status !== 412) return null;
  return (
    <div class="notice changed-meanwhile" role="alert">
      <p>{changedMeanwhile}</p>
      <p class="actions">
        <button type="button" class="button" onClick={onLoad}>
          {loadTheirs}
        </button>
        <button type="button" class="button" onClick={() => void of.send(onSave)}>
          {saveAnyway}
        </button>
      </p>
    </div>
  );
};
