import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { startLive } from '../live/live.ts';
import { user } from '../session/session.ts';
import { Screen } from './screen.tsx';

/** A screen without a frame. */
export const FramelessScreen = (): JSX.Element => {
  useEffect(() => {
    // The effect runs once per user, because the `key` of this component is the user's id.
    const who = user.peek();
    return who ? startLive(who.id) : undefined;
  }, []);
  return <Screen />;
};
