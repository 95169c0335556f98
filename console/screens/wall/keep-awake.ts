import { useEffect } from 'preact/hooks';
import { accessToken } from '../../session/session.ts';

/** Interval of session checks in milliseconds; a request is sent only if the access token expires soon. */
const LOOK_MS = 20_000;

/** Keeps the session and the display alive while a component is shown; a session ended elsewhere ends here too. */
export const useKeepAwake = (): void => {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) accessToken().catch(() => undefined);
    }, LOOK_MS);
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    const stayLit = async (): Promise<void> => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      try {
        lock = await navigator.wakeLock.request('screen');
        if (isOver) void lock.release();
      } catch {
        // The battery is low, or the browser denies it.
      }
    };
    const onVisible = (): void => void stayLit();
    document.addEventListener('visibilitychange', onVisible);
    void stayLit();
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisible);
      void lock?.release();
    };
  }, []);
};
