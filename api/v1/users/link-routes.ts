import { Type, type Static } from '@sinclair/typebox';
import { openedInvitation, openedReset } from '../../../domain/organization/user-links.ts';
import { findInvitation, findReset } from '../../../queries/organizations/account-links.ts';
import type { LinkedUser } from '../../../queries/organizations/users.ts';
import { ok, route, type Call, type Route } from '../../route.ts';
import { choice, named, nullable } from '../../schema.ts';

const STATUSES = ['open', 'accepted', 'superseded', 'gone'] as const;

/** decisions.md: Users. */
const AccountLink = named(
  'AccountLink',
  Type.Object({
    purpose: nullable(choice(['invitation', 'reset'])),
    status: Type.Unsafe<(typeof STATUSES)[number]>({
      type: 'string',
      enum: [...STATUSES],
      description:
        'open: it can be used; accepted: the invitation was; superseded: a later invitation was sent; gone: it was used, has expired, or is no link of this service',
    }),
    organization: nullable(Type.String({ description: 'its name; null unless the link is open' })),
    email: nullable(Type.String({ description: 'of the user; null unless the link is open' })),
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

type Looking = Pick<Call<unknown, unknown, unknown>, 'scope' | 'context' | 'mac'>;

const lookUp = async ({ scope, context, mac }: Looking, token: string): Promise<AccountLink> => {
  const invitation = await openedInvitation(token, context.now, mac);
  if (invitation) {
    const { organizationId } = invitation;
    const { linked, standing } = await findInvitation({ ...scope, organizationId }, invitation);
    return shown('invitation', standing, linked);
  }
  const reset = await openedReset(token, context.now, mac);
  if (!reset) return shown(null, 'gone');
  const linked = await findReset({ ...scope, organizationId: reset.organizationId }, reset);
  return shown('reset', linked ? 'open' : 'gone', linked);
};

export const accountLinkRoutes: Route[] = [
  route({
    methods: ['post'],
    path: '/v1/users/link',
    summary: 'Show what the link of an invitation or of a reset is for, without using it',
    tag: 'Users',
    access: { public: { tenant: null } },
    unrepeatable: true,
    confidential: true,
    body: Type.Object({ token: Type.String({ maxLength: 2_000 }) }),
    answers: { 200: AccountLink },
    handle: (call) => ok(() => lookUp(call, call.body.token)),
  }),
];
