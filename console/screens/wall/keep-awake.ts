import { useEffect } from 'preact/hooks';
import { accessToken } from '../../session/session.ts';

/**
 * Interval at which the session is checked, in milliseconds. A check sends a request only if the access token expires
 * soon.
 */
const LOOK_MS = 20_000;

/**
 * Prevents the session from expiring and the display from sleeping while a component is shown. Also notices if the
 * session was ended elsewhere.
 */
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
        // Ignore the error: the battery is low, or the browser refuses to keep the display on.
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
