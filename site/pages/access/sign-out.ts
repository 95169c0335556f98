import { Type } from '@sinclair/typebox';
import { signOutOfPage } from '../../../commands/pages/page-sessions.ts';
import { sessionOfToken } from '../../../domain/page/session-token.ts';
import type { Route } from '../../route.ts';
import { ACCESS_COOKIE, cookieFor, SESSION_COOKIE } from '../cookies.ts';
import { backTo, pageForm } from './page-form.ts';
import { originOf } from './sign-in.ts';

/** Ends a member's session and deletes the visitor's password cookie. */
export const signOutRoute: Route = pageForm({
  path: '/sign-out',
  summary: 'Sign out of a status page',
  body: Type.Object({}),
  answer: async ({ visit }, _, call) => {
    const { page, sent, scope } = visit;
    const session = await sessionOfToken(sent.cookie(SESSION_COOKIE), page, scope.now, call.mac);
    if (session) await call.commands.bind(signOutOfPage)(session, originOf(call), call.context);
    return backTo(
      './',
      [ACCESS_COOKIE, SESSION_COOKIE].map((name) => cookieFor(sent, { name, value: '', maxAge: 0 })),
    );
  },
});
