import { Type, type Static } from '@sinclair/typebox';
import { configureEmailDomain, verifyEmailDomain } from '../../../commands/organizations/email-domains.ts';
import { inputErrors } from '../../../domain/email-domain/decide.ts';
import { PURPOSES } from '../../../domain/email-domain/events.ts';
import { MAX_EMAIL_DOMAIN } from '../../../domain/email-domain/names.ts';
import type { EmailDomainDocument } from '../../../projections/email-domains/projection.ts';
import { emailDomains } from '../../../projections/email-domains/projection.ts';
import { findEmailDomain } from '../../../queries/organizations/email-domain.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { createPresenter } from '../../presenter.ts';
import { created, ok, route, type Route } from '../../route.ts';
import { choice, Id, InstantOut, namedSchema, nullable } from '../../schema.ts';
import { findPageInPath, PageParams } from '../pages/params.ts';

const tag = 'E-mail domain';
const path = '/v1/pages/{page_id}/email-domain';
const waitsFor = [emailDomains.name];

const status = choice(['pending', 'verified', 'failed']);

/** See docs/reference/email-domains.md#fields. */
const EmailDomain = namedSchema(
  'EmailDomain',
  Type.Object({
    page_id: Id,
    domain: Type.String({ examples: ['example.com'] }),
    from_email: Type.String({ examples: ['status@example.com'] }),
    status,
    last_checked_at: nullable(InstantOut),
    verified_at: nullable(InstantOut),
    records: Type.Array(
      Type.Object({
        purpose: choice(PURPOSES, {
          description: '`dkim` and `ownership` are required; `spf` and `dmarc` are recommended.',
        }),
        type: choice(['TXT']),
        name: Type.String({ examples: ['_uptrail.example.com'] }),
        value: Type.String(),
        status,
        error_message: nullable(Type.String()),
      }),
    ),
  }),
);
type EmailDomain = Static<typeof EmailDomain>;

const Sender = Type.Object({
  domain: Type.String({ minLength: 1, maxLength: MAX_EMAIL_DOMAIN, examples: ['example.com'] }),
  from_email: Type.String({ minLength: 1, maxLength: 254, examples: ['status@example.com'] }),
});

const present = createPresenter(EmailDomain, ['page_id', 'records']);

const presentEmailDomain = (document: EmailDomainDocument): EmailDomain =>
  present(document, { page_id: document.id, records: [...document.records] });

const show = async (scope: Scope, { page_id }: { page_id: string }): Promise<EmailDomain> =>
  presentEmailDomain(await findEmailDomain(scope, page_id));

export const emailDomainRoutes: Route[] = [
  route({
    methods: ['get'],
    path,
    summary: 'Get the e-mail domain of a page',
    description: 'E-mail about the page is sent from this domain. The response contains its DNS records.',
    tag,
    access: { needs: 'pages.read' },
    params: PageParams,
    responses: { 200: EmailDomain },
    handle: ({ params, scope }) => ok(() => show(scope, params)),
  }),
  route({
    methods: ['post'],
    path: `${path}/records`,
    summary: 'Set the e-mail domain of a page',
    description:
      'E-mail about the page is sent from this domain. A different domain gets a new key and new DNS records.',
    tag,
    access: { needs: 'pages.write' },
    params: PageParams,
    body: Sender,
    responses: { 201: EmailDomain },
    waitsFor,
    find: findPageInPath,
    alsoRefused: ({ body }) => inputErrors(body),
    handle: async ({ params, body, context, commands, scope }) => {
      await commands.bind(configureEmailDomain)(params.page_id, body, context);
      return created(`/v1/pages/${params.page_id}/email-domain`, params.page_id, () => show(scope, params));
    },
  }),
  route({
    methods: ['post'],
    path: `${path}/verify`,
    summary: 'Verify the e-mail domain of a page',
    description: 'The service looks up the DNS records of the domain, at most every 15 seconds.',
    tag,
    access: { needs: 'pages.write' },
    params: PageParams,
    responses: { 200: EmailDomain },
    waitsFor,
    find: ({ params, scope }) => findEmailDomain(scope, params.page_id),
    handle: async ({ params, context, commands, scope }) => {
      await commands.bind(verifyEmailDomain)(params.page_id, context);
      return ok(() => show(scope, params));
    },
  }),
];
