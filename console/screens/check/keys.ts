import { useEffect, useRef } from 'preact/hooks';
import { navigate } from '../../router/router.ts';
import { may } from '../../session/may.ts';
import { shortcutOf } from '../../shell/shortcuts.ts';
import type { Check } from './source.ts';

interface Actions {
  run: () => void;
  pause: () => void;
}

/** What single keys do on the screen of a check: r runs it, p pauses or resumes it, e edits it, Esc leads back. */
export const useKeys = (check: Check, actions: Actions): void => {
  const latest = useRef({ check, ...actions });
  latest.current = { check, ...actions };
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      const { check: now, run, pause } = latest.current;
      const key = shortcutOf(event);
      if (key === 'r' && now.active && may('POST /v1/checks/{check_id}/execute')) run();
      else if (key === 'p' && may('PATCH /v1/checks/{check_id}')) pause();
      else if (key === 'e' && may('PATCH /v1/checks/{check_id}')) navigate(`/checks/${now.id}/edit`);
      else if (key === 'Escape') navigate('/checks');
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', hear);
    return () => {
      removeEventListener('keydown', hear);
    };
  }, []);
};
