import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { startLive } from '../live/live.ts';
import { user } from '../session/session.ts';
import { Screen } from './screen.tsx';

/** A screen with nothing around it. */
export const Bare = (): JSX.Element => {
  useEffect(() => {
    // Another user gets another one.
    const who = user.peek();
    return who ? startLive(who.id) : undefined;
  }, []);
  return <Screen />;
};
