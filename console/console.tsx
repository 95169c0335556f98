import { render } from 'preact';
import { App } from './app.tsx';
import { currentLocation, startRouter } from './router/router.ts';
import { preloadScreen } from './router/screens.ts';
import { startSession } from './session/session.ts';
import { startLanguage } from './shell/language.ts';
import { startTheme } from './shell/theme.ts';

const root = document.getElementById('console');
if (!root) throw new Error('The page has no element for the console.');
startTheme();
startRouter();
preloadScreen(currentLocation.value.path);
await Promise.all([startLanguage(), startSession()]);
root.replaceChildren();
render(<App />, root);
