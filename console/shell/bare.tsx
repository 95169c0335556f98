import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { startLive } from '../live/live.ts';
import { Screen } from './screen.tsx';

/** A screen with nothing around it. */
export const Bare = (): JSX.Element => {
  useEffect(startLive, []);
  return <Screen />;
};
