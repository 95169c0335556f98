import { Type, type Static } from '@sinclair/typebox';
import { verifyInvitationLink, verifyResetLink } from '../../../domain/organization/user-links.ts';
import { findInvitation, findReset } from '../../../queries/organizations/account-links.ts';
import type { LinkedUser } from '../../../queries/organizations/users.ts';
import { ok, route, type Call, type Route } from '../../route.ts';
import { choice, namedSchema, nullable } from '../../schema.ts';

const STATUSES = ['open', 'accepted', 'superseded', 'gone'] as const;

/** See docs/reference/users.md#invitation-links. */
const AccountLink = namedSchema(
  'AccountLink',
  Type.Object({
    purpose: nullable(choice(['invitation', 'reset'])),
    status: Type.Unsafe<(typeof STATUSES)[number]>({
      type: 'string',
      enum: [...STATUSES],
      description:
        '`open`: the link can be used. `accepted`: the invitation was accepted. `superseded`: a later invitation was sent. ' +
        '`gone`: the link was used, has expired, or does not belong to this service.',
    }),
    organization: nullable(Type.String({ description: 'The name of the organization. Null unless the link is open.' })),
    email: nullable(Type.String({ description: 'The e-mail address of the user. Null unless the link is open.' })),
  }),
);
type AccountLink = Static<typeof AccountLink>;

const shown = (
  purpose: AccountLink['purpose'],
  status: AccountLink['status'],
  linked: LinkedUser | null = null,
): AccountLink => ({
  purpose,
  status,
  organization: status === 'open' && linked ? linked.organization : null,
  email: status === 'open' && linked ? linked.email : null,
});

type LinkCall = Pick<Call<unknown, unknown, unknown>, 'scope' | 'context' | 'mac'>;

const lookUp = async ({ scope, context, mac }: LinkCall, token: string): Promise<AccountLink> => {
  const invitation = await verifyInvitationLink(token, context.now, mac);
  if (invitation) {
    const { organizationId } = invitation;
    const { linked, standing } = await findInvitation({ ...scope, organizationId }, invitation);
    return shown('invitation', standing, linked);
  }
  const reset = await verifyResetLink(token, context.now, mac);
  if (!reset) return shown(null, 'gone');
  const linked = await findReset({ ...scope, organizationId: reset.organizationId }, reset);
  return shown('reset', linked ? 'open' : 'gone', linked);
};

export const accountLinkRoutes: Route[] = [
  route({
    methods: ['post'],
    path: '/v1/users/link',
    summary: 'Check an account link',
    description: 'Shows the purpose and state of the link of an invitation or password reset, without using it.',
    tag: 'Users',
    access: { public: { tenant: null } },
    unrepeatable: true,
    confidential: true,
    body: Type.Object({ token: Type.String({ maxLength: 2_000 }) }),
    responses: { 200: AccountLink },
    handle: (call) => ok(() => lookUp(call, call.body.token)),
  }),
];
