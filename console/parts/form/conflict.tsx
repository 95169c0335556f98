import type { JSX } from 'preact';
import { words } from '../../shell/language.ts';

export interface ConflictProps {
  /** loads what the others saved */
  onReload: () => void;
  /** saves over it */
  onSave: () => void;
}

/** Reports that another user saved the resource meanwhile (412). */
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
