import { Type } from '@sinclair/typebox';
import { acceptInvitation } from '../../commands/sign-in/accepted-invitations.ts';
import type { Origin } from '../../commands/sign-in/account.ts';
import type { CommandContext } from '../../commands/engine/context.ts';
import { resetPassword } from '../../commands/sign-in/user-passwords.ts';
import { Invalid } from '../../domain/errors.ts';
import {
  ACCEPT_PATH,
  INVITATION,
  PASSWORD_RESET,
  readInvitation,
  readReset,
  RESET_PATH,
} from '../../domain/organization/user-links.ts';
import { networkOf } from '../../http/client-address.ts';
import { FORM_BODY } from '../../http/media/body-types.ts';
import { html } from '../../http/media/media-types.ts';
import type { RouteResponse } from '../../http/routes/route.ts';
import { findInvitation, findReset } from '../../queries/organizations/account-links.ts';
import type { LinkedUser } from '../../queries/organizations/users.ts';
import type { Scope } from '../../queries/engine/scope.ts';
import { NO_SCRIPTS } from '../content-security-policy.ts';
import { route, type Route } from '../route.ts';
import { acceptPage, problemPage, resetPage, accountResultPage, type AccountResult } from './pages.ts';

const PAGE = html({ policy: NO_SCRIPTS, problem: problemPage });

const TokenQuery = Type.Object({ token: Type.String({ description: 'of the link' }) });

/**
 * A form field. Its maximum length exceeds the maximum length of every valid value. So a value that is too long is
 * rejected by the command, not by the schema, and the form shows the command's error.
 */
const field = Type.Optional(Type.String({ maxLength: 5_000 }));

const NOINDEX = { 'X-Robots-Tag': 'noindex, nofollow' };

const shown = (body: string, status = 200): RouteResponse => ({ status, headers: NOINDEX, body: () => body });

const accountResultResponse = (what: AccountResult, status = 200): RouteResponse =>
  shown(accountResultPage(what), status);

/** Returns the invited user, and the state of the invitation: `open`, or the outcome that the page must show. */
const findInvited = async ({ scope, subject }: { scope: Scope; subject: string | null }) => {
  const link = readInvitation(subject ?? '');
  return link ? findInvitation(scope, link) : { linked: null, standing: 'gone' as const };
};

const emptied = (text: string | undefined): string | null => (text === undefined || text.trim() === '' ? null : text);

const accepting = {
  path: ACCEPT_PATH,
  tag: 'Accounts',
  access: { public: { link: INVITATION } },
  query: TokenQuery,
  find: findInvited,
  produces: [PAGE] as const,
  confidential: true,
  responses: { 200: Type.String() },
};

/** Returns the user whose password a link resets, or null if the link is no longer valid. */
const findResetting = async ({
  scope,
  subject,
}: {
  scope: Scope;
  subject: string | null;
}): Promise<LinkedUser | null> => {
  const link = readReset(subject ?? '');
  return link && findReset(scope, link);
};

const resetting = {
  path: RESET_PATH,
  tag: 'Accounts',
  access: { public: { link: PASSWORD_RESET } },
  query: TokenQuery,
  find: findResetting,
  produces: [PAGE] as const,
  confidential: true,
  responses: { 200: Type.String() },
};

/**
 * Returns where a request comes from. The client address and the user agent are already sealed for the link's
 * organization.
 */
const originOf = ({ clientAddress, userAgent }: CommandContext, address: string | null): Origin => ({
  network: networkOf(address ?? ''),
  client: () => Promise.resolve({ ...(clientAddress && { clientAddress }), ...(userAgent && { userAgent }) }),
});

/**
 * Routes of the pages to which account links lead. They work without scripts. Opening a link changes nothing, because
 * mail scanners open links too. Only submitting the form changes something. Links with an invalid or expired token are
 * rejected before these routes are called (http/routes/visitor.ts).
 */
export const accountRoutes: readonly Route[] = [
  route({
    ...accepting,
    methods: ['get'],
    summary: 'Show the form for accepting an invitation',
    handle: ({ found: { linked, standing } }) =>
      linked && standing === 'open'
        ? shown(acceptPage(linked))
        : accountResultResponse(standing === 'open' ? 'gone' : standing, 410),
  }),
  route({
    ...accepting,
    methods: ['post'],
    summary: 'Accept an invitation',
    accepts: [FORM_BODY],
    body: Type.Object({ first_name: field, last_name: field, password: field }),
    unrepeatable: true,
    handle: async ({ found: { linked, standing }, query, body, commands, context, clientAddress }) => {
      if (!linked || standing !== 'open') return accountResultResponse(standing === 'open' ? 'gone' : standing, 410);
      const names = { first_name: emptied(body.first_name), last_name: emptied(body.last_name) };
      try {
        const { token } = query;
        const accepted = { token, password: body.password ?? '', ...names };
        await commands.bind(acceptInvitation)(accepted, originOf(context, clientAddress), context);
        return accountResultResponse('joined');
      } catch (error) {
        if (!(error instanceof Invalid)) throw error;
        return shown(acceptPage(linked, body, error.errors.json), 422);
      }
    },
  }),
  route({
    ...resetting,
    methods: ['get'],
    summary: 'Ask for a new password',
    handle: ({ found }) => (found ? shown(resetPage(found)) : accountResultResponse('gone', 410)),
  }),
  route({
    ...resetting,
    methods: ['post'],
    summary: 'Set a new password',
    accepts: [FORM_BODY],
    body: Type.Object({ password: field }),
    unrepeatable: true,
    handle: async ({ found, query, body, commands, context, clientAddress }) => {
      if (!found) return accountResultResponse('gone', 410);
      const input = { token: query.token, new_password: body.password ?? '' };
      try {
        await commands.bind(resetPassword)(input, originOf(context, clientAddress), context);
        return accountResultResponse('reset');
      } catch (error) {
        if (!(error instanceof Invalid)) throw error;
        return shown(resetPage(found, error.errors.json), 422);
      }
    },
  }),
];
