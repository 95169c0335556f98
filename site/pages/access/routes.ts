import { seeOther } from '../../../http/routes/route.ts';
import { html } from '../../../http/media/types.ts';
import type { Route } from '../../route.ts';
import { pageRoute } from '../page-route.ts';
import { choicesRoute } from './choices.ts';
import { passwordRoute } from './password.ts';
import { signInRoute } from './sign-in.ts';
import { signOutRoute } from './sign-out.ts';

/** The address of a form, requested by itself, as after a reload: the form where it is needed, else the page. */
const formAddresses = ['/access', '/sign-in'].map((path) =>
  pageRoute({
    path,
    summary: 'The form that opens a status page',
    produces: [html()],
    answer: () => seeOther('./'),
  }),
);

/** The forms by which visitors get to see a page, and how they want to. */
export const accessRoutes: readonly Route[] = [
  ...formAddresses,
  passwordRoute,
  signInRoute,
  signOutRoute,
  choicesRoute,
];
