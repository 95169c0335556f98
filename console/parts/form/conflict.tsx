import type { JSX } from 'preact';
import { words } from '../../shell/language.ts';

export interface ConflictProps {
  /** loads the version of the other user */
  onReload: () => void;
  /** overwrites the version of the other user */
  onSave: () => void;
}

/** Reports that another user has saved the resource in the meantime (412). */
export const Conflict = ({ onReload, onSave }: ConflictProps): JSX.Element => {
  const { changedMeanwhile, loadTheirs, saveAnyway } = words.value.common;
  return (
    <div class="problem whole" role="alert">
      <p>{changedMeanwhile}</p>
      <div class="actions">
        <button type="button" class="button" onClick={onReload}>
          {loadTheirs}
        </button>
        <button type="button" class="button" onClick={onSave}>
          {saveAnyway}
        </button>
      </div>
    </div>
  );
};
