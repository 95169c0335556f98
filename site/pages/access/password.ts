import { Type } from '@sinclair/typebox';
import { openPage } from '../../../commands/pages/page-access.ts';
import { NotSignedIn, TooMany } from '../../../domain/errors.ts';
import { networkOf } from '../../../http/client-address.ts';
import { pageWordsFor } from '../../../messages/page-words/index.ts';
import type { Route } from '../../route.ts';
import { ACCESS_COOKIE, cookieFor } from '../cookies.ts';
import { passwordForm } from '../error-responses.ts';
import { returnAddress } from '../return-address.ts';
import { backTo, FIELD, pageForm } from './page-form.ts';

/** Accepts the password of a page and grants access with a cookie. */
export const passwordRoute: Route = pageForm({
  path: '/access',
  summary: 'Open a status page with its password',
  body: Type.Object({ password: FIELD, return: FIELD }),
  answer: async ({ visit, access }, { password = '', return: back }, call) => {
    const { page, sent, choices } = visit;
    const location = returnAddress(back, sent);
    if (access !== 'password') return backTo(location, []);
    const words = pageWordsFor(choices.language).access;
    try {
      const network = networkOf(call.clientAddress ?? '');
      const { token, expiresIn } = await call.commands.bind(openPage)(page.id, password, network, call.context);
      return backTo(location, [cookieFor(sent, { name: ACCESS_COOKIE, value: token, maxAge: expiresIn })]);
    } catch (error) {
      if (error instanceof NotSignedIn) return passwordForm(visit, { problem: words.wrongPassword, back: location });
      if (!(error instanceof TooMany)) throw error;
      const headers = { 'Retry-After': error.seconds.toString() };
      return passwordForm(visit, { status: 429, headers, problem: words.tooMany(error.seconds), back: location });
    }
  },
});
