import { seeOther } from '../../../http/routes/route.ts';
import { html } from '../../../http/media/media-types.ts';
import type { Route } from '../../route.ts';
import { pageRoute } from '../page-route.ts';
import { displaySettingsRoute } from './display-settings.ts';
import { passwordRoute } from './password.ts';
import { signInRoute } from './sign-in.ts';
import { signOutRoute } from './sign-out.ts';

/**
 * Routes for GET requests to the URL of a form. Browsers send such requests, for example, after a reload. The routes
 * show the form if the visitor still needs it, and otherwise the page.
 */
const formAddresses = ['/access', '/sign-in'].map((path) =>
  pageRoute({
    path,
    summary: 'The form that opens a status page',
    produces: [html()],
    answer: () => seeOther('./'),
  }),
);

/** The forms for gaining access to a page and for display settings. */
export const accessRoutes: readonly Route[] = [
  ...formAddresses,
  passwordRoute,
  signInRoute,
  signOutRoute,
  displaySettingsRoute,
];
