import type { JSX } from 'preact';
import { StateShapes } from '../views/status/state.tsx';
import { FirstRun } from './screens/first-run/first-run.tsx';
import { SignIn } from './screens/sign-in/sign-in.tsx';
import { Unreachable } from './screens/unreachable/unreachable.tsx';
import { currentLocation } from './router/router.ts';
import { frameAt } from './router/screens.ts';
import { session } from './session/session.ts';
import { FramelessScreen } from './shell/frameless-screen.tsx';
import { Screen } from './shell/screen.tsx';
import { Shell } from './shell/shell.tsx';

/** The console. Whatever its URL, it first determines who is signed in. */
export const App = (): JSX.Element => (
  <>
    <StateShapes />
    <Present />
  </>
);

const Present = (): JSX.Element | null => {
  const state = session.value;
  const frame = frameAt(currentLocation.value.path);
  if (frame === 'gate') return <Screen />;
  switch (state.status) {
    case 'starting':
      return null;
    case 'unreachable':
      return <Unreachable />;
    case 'first run':
      return <FirstRun />;
    case 'signed out':
      return <SignIn ended={state.ended} />;
    case 'signed in':
      // When another user signs in, in any tab, the changed `key` makes Preact discard everything that was loaded for
      // the previous user.
      return frame === 'nothing' ? <FramelessScreen key={state.user.id} /> : <Shell key={state.user.id} />;
  }
};
