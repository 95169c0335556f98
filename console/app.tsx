import type { JSX } from 'preact';
import { StateShapes } from '../views/status/state.tsx';
import { FirstRun } from './screens/first-run/first-run.tsx';
import { SignIn } from './screens/sign-in/sign-in.tsx';
import { Unreachable } from './screens/unreachable/unreachable.tsx';
import { place } from './router/router.ts';
import { frameAt } from './router/screens.ts';
import { session } from './session/session.ts';
import { Bare } from './shell/bare.tsx';
import { Screen } from './shell/screen.tsx';
import { Shell } from './shell/shell.tsx';

/** The console: whatever its address, it first has to be known who is there. */
export const App = (): JSX.Element => (
  <>
    <StateShapes />
    <Present />
  </>
);

const Present = (): JSX.Element | null => {
  const state = session.value;
  const frame = frameAt(place.value.path);
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
      // Nothing that was loaded for one user is shown to another who signs in, in whatever tab.
      return frame === 'nothing' ? <Bare key={state.user.id} /> : <Shell key={state.user.id} />;
  }
};
