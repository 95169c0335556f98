import { useBindings, type Binding } from '../../keys/bindings.ts';
import { navigate } from '../../router/router.ts';
import { may } from '../../session/permissions.ts';
import type { Check } from './source.ts';

interface Actions {
  run: () => void;
  pause: () => void;
}

/**
 * Registers the shortcuts of the check screen: `r` runs the check, `p` pauses or resumes it, `e` edits it, and Esc goes
 * back to the list.
 */
export const useKeys = ({ id, active }: Check, { run, pause }: Actions): void => {
  const runs: readonly Binding[] = [{ key: 'r', does: 'run', act: run }];
  const writes: readonly Binding[] = [
    { key: 'p', does: 'pause', act: pause },
    {
      key: 'e',
      does: 'edit',
      act: () => {
        navigate(`/checks/${id}/edit`);
      },
    },
  ];
  useBindings([
    {
      key: 'Escape',
      does: 'back',
      act: () => {
        navigate('/checks');
      },
    },
    ...(active && may('POST /v1/checks/{check_id}/execute') ? runs : []),
    ...(may('PATCH /v1/checks/{check_id}') ? writes : []),
  ]);
};
