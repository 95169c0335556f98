import { Type } from '@sinclair/typebox';
import { confirmSecondFactor, removeSecondFactor, setUpSecondFactor } from '../../../commands/sign-in/second-factor.ts';
import { noContent, ok, route, type Route } from '../../route.ts';
import { Code, Password } from '../login/schema.ts';
import { requireSignedIn } from './password-routes.ts';

const PATH = '/v1/users/totp';
const tag = 'Users';
const own = { access: { needs: 'account.manage' }, unrepeatable: true, confidential: true } as const;

export const totpRoutes: Route[] = [
  route({
    methods: ['post'],
    path: PATH,
    summary: 'Set up a second factor',
    description: 'It takes effect when it is confirmed within 15 minutes.',
    tag,
    ...own,
    body: Type.Object({ password: Type.Optional(Password) }),
    oneTime: ['secret', 'otpauth_url'],
    responses: {
      200: Type.Object({
        secret: Type.String({ description: 'In base32.' }),
        otpauth_url: Type.String({ description: 'The content of a QR code.' }),
      }),
    },
    handle: async (call) => {
      const { userId } = requireSignedIn(call);
      const made = await call.commands.bind(setUpSecondFactor)(userId, call.body.password ?? null, call.context);
      return ok(() => made);
    },
  }),
  route({
    methods: ['post'],
    path: `${PATH}/confirm`,
    summary: 'Confirm the second factor',
    description: 'The first code enables it.',
    tag,
    ...own,
    body: Type.Object({ code: Code }),
    oneTime: ['recovery_codes'],
    responses: {
      200: Type.Object({
        recovery_codes: Type.Array(Type.String(), { description: 'Each replaces a code once. Shown only here.' }),
      }),
    },
    handle: async (call) => {
      const { userId } = requireSignedIn(call);
      const recovery_codes = await call.commands.bind(confirmSecondFactor)(userId, call.body.code, call.context);
      return ok(() => ({ recovery_codes }));
    },
  }),
  route({
    methods: ['delete'],
    path: PATH,
    summary: 'Remove the second factor',
    tag,
    ...own,
    body: Type.Object({ password: Password, code: Code }),
    responses: { 204: null },
    handle: async (call) => {
      await call.commands.bind(removeSecondFactor)(requireSignedIn(call).userId, call.body, call.context);
      return noContent();
    },
  }),
];
