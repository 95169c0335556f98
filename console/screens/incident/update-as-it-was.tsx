import type { JSX } from 'preact';
import { FailureLine } from '../../parts/failure-line.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { loadMoments } from '../../past/moments.ts';
import { currentLocation, navigate } from '../../router/router.ts';
import { words } from '../../shell/language.ts';

export interface UpdateAsItWasProps {
  page_id: string;
  incident_id: string;
  update_id: string;
}

/**
 * A button that shows the incident as it was when an update was recorded. This moment is loaded when the user chooses
 * the button. The time of the update is earlier than this moment, and can be any time in the past.
 */
export const UpdateAsItWas = ({ page_id, incident_id, update_id }: UpdateAsItWasProps): JSX.Element => {
  const of = useSubmit();
  const incident = `/pages/${page_id}/incidents/${incident_id}`;
  const show = async (): Promise<void> => {
    const resource = `v1${incident}/incident_updates/${update_id}`;
    const [recorded] = (await loadMoments({ kind: 'resource', resource })).moments;
    // Meanwhile, the user may have opened another screen.
    if (recorded === undefined || currentLocation.peek().path !== incident) return;
    navigate(`${incident}?${new URLSearchParams({ at: recorded }).toString()}`);
  };
  return (
    <>
      <button
        type="button"
        class="text"
        onClick={() => {
          void of.send(show);
        }}
      >
        {words.value.past.asItWas}
      </button>
      {of.failure.value && <FailureLine failure={of.failure.value} />}
    </>
  );
};
