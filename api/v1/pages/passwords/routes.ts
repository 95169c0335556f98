import { openPage } from '../../../../commands/pages/page-access.ts';
import type { CommandContext } from '../../../../commands/engine/context.ts';
import {
  addPagePassword,
  changePagePassword,
  pagePasswordProblems,
  removePagePassword,
} from '../../../../commands/pages/page-passwords.ts';
import type { PagePasswordFields } from '../../../../domain/page/password-events.ts';
import { parseInstant } from '../../../../domain/time.ts';
import { networkOf } from '../../../../http/client-address.ts';
import type { FieldMessages } from '../../../../http/validation-messages.ts';
import { pages } from '../../../../projections/pages/projection.ts';
import { singlePage } from '../../../../queries/engine/listing.ts';
import { findPagePassword, hintsOf, listPagePasswords } from '../../../../queries/pages/page-passwords.ts';
import { tenantOfReachablePage } from '../../../../queries/organizations/tenants.ts';
import { unpaginated } from '../../../pagination.ts';
import { ABSENT_FIELDS_UNCHANGED, resource } from '../../../resource.ts';
import { ok, route, type Route } from '../../../route.ts';
import { findPageInPath, pageParams, PageParams } from '../params.ts';
import {
  PagePasswordAttempt,
  NewPagePassword,
  PageAccess,
  PagePassword,
  PagePasswordChange,
  PasswordHints,
  presentPagePassword,
} from './schema.ts';

const tag = 'Page passwords';
const access = { public: { tenant: tenantOfReachablePage } };

/** Applies the rules of the domain to the fields that have the correct type. Treats other fields as absent. */
const problemsIn = (
  { name, password, password_hint, expires_at }: Readonly<Record<string, unknown>>,
  stored: PagePasswordFields | null,
  context: Pick<CommandContext, 'now'>,
): Promise<FieldMessages> => {
  const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const fields = {
    name: textOf(name),
    password: textOf(password),
    password_hint: textOf(password_hint),
    expires_at: parseInstant(textOf(expires_at) ?? '') ?? undefined,
  };
  return pagePasswordProblems()(fields, stored, context);
};

export const pagePasswordRoutes: Route[] = [
  ...resource({
    path: '/v1/pages/{page_id}/passwords',
    id: 'password_id',
    tag,
    noun: 'page password',
    needs: { read: 'pages.read', write: 'pages.write' },
    parent: { params: pageParams, find: findPageInPath },
    show: ({ params, scope }) => findPagePassword(scope, params),
    schema: PagePassword,
    present: presentPagePassword,
    list: {
      summary: 'List page passwords',
      description: 'The list is sorted newest first and does not contain the passwords themselves.',
      style: unpaginated,
      ask: ({ scope, found: page }) => Promise.resolve(singlePage(listPagePasswords(page, scope))),
    },
    create: {
      summary: 'Add a page password',
      description: 'From then on, visitors of the page are asked for a password.',
      body: NewPagePassword,
      unrepeatable: true,
      alsoRefused: ({ body, context }) => problemsIn(body, null, context),
      ask: ({ params: { page_id }, body, context, commands }) => commands.bind(addPagePassword)(page_id, body, context),
    },
    change: {
      description: `${ABSENT_FIELDS_UNCHANGED} A new password revokes the tokens that were issued for the old one.`,
      body: PagePasswordChange,
      unrepeatable: true,
      alsoRefused: ({ body, found, context }) => problemsIn(body, found, context),
      ask: ({ params: { page_id, password_id }, body, context, commands }) =>
        commands.bind(changePagePassword)(page_id, password_id, body, context),
    },
    remove: {
      summary: 'Remove a page password',
      description: 'Its tokens are revoked. A page without an active password is public.',
      waitsFor: [pages.name],
      ask: ({ params: { page_id, password_id }, context, commands }) =>
        commands.bind(removePagePassword)(page_id, password_id, context),
    },
  }),
  route({
    methods: ['get'],
    path: '/v1/pages/{page_id}/password-hints',
    summary: 'List page password hints',
    tag,
    access,
    params: PageParams,
    responses: { 200: PasswordHints },
    find: findPageInPath,
    handle: ({ found: page, scope }) => ok(() => ({ hints: hintsOf(page, scope) })),
  }),
  route({
    methods: ['post'],
    path: '/v1/pages/{page_id}/verify-password',
    summary: 'Exchange a page password for a token',
    description: 'The token opens the page.',
    tag,
    access,
    // The visit is not recorded, so the request writes nothing.
    effect: 'read',
    unrepeatable: true,
    confidential: true,
    errorStatuses: [401],
    oneTime: ['access_token'],
    params: PageParams,
    body: PagePasswordAttempt,
    responses: { 200: PageAccess },
    handle: async ({ params: { page_id }, body, clientAddress, commands, context }) => {
      const network = networkOf(clientAddress ?? '');
      const { token, expiresIn, passwordName } = await commands.bind(openPage)(
        page_id,
        body.password,
        network,
        context,
      );
      return ok(() => ({
        access_token: token,
        token_type: 'Bearer',
        expires_in: expiresIn,
        password_name: passwordName,
      }));
    },
  }),
];
