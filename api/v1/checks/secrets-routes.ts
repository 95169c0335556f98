import { Type, type Static } from '@sinclair/typebox';
import { bindSecret, replaceSecrets, unbindSecret } from '../../../commands/checks/check-secrets.ts';
import { requireFound as foundOr } from '../../../domain/existence.ts';
import { checks } from '../../../projections/checks/projection.ts';
import { findCheck } from '../../../queries/checks/find.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { listBindings, findBinding, type BoundSecret } from '../../../queries/secrets.ts';
import { created, noContent, ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { unknownSecretErrors, checkParams, CheckParams, findCheckInPath } from './params.ts';
import {
  bindingBodyErrors,
  bindingListBodyErrors,
  NewBinding,
  NewBindings,
  presentBinding,
  SecretBinding,
} from '../secrets/schema.ts';

const tag = 'Secrets';
const path = '/v1/checks/{check_id}/secrets';
const All = Type.Array(SecretBinding);

/** Lists the secrets that a check is bound to. */
const bindings = async (scope: Scope, checkId: string): Promise<BoundSecret[]> => {
  const check = await findCheck(scope, checkId);
  return (await listBindings(scope, [check]))(check);
};

const shown = async (scope: Scope, checkId: string): Promise<Static<typeof All>> =>
  (await bindings(scope, checkId)).map((binding) => presentBinding(binding));

/** Bindings of secrets to checks. The script of a check reads each secret from an environment variable. */
export const secretBindingRoutes: Route[] = [
  route({
    methods: ['get'],
    path,
    summary: 'List the secrets of a check',
    tag,
    access: { needs: 'checks.read' },
    params: CheckParams,
    responses: { 200: All },
    handle: ({ params, scope }) => ok(() => shown(scope, params.check_id)),
  }),
  route({
    methods: ['post'],
    path,
    summary: 'Bind a secret to a check',
    tag,
    access: { needs: 'checks.write' },
    params: CheckParams,
    body: NewBinding,
    responses: { 201: SecretBinding },
    find: findCheckInPath,
    refuse: (_, body) => bindingBodyErrors(body),
    alsoRefused: ({ body, scope }) => unknownSecretErrors(scope, [body], () => 'secret_id'),
    handle: async ({ params: { check_id }, body, context, commands, scope }) => {
      await commands.bind(bindSecret)(check_id, body, context);
      const { secret_id } = body;
      return created(`/v1/checks/${check_id}/secrets`, secret_id, async () => {
        const all = await bindings(scope, check_id);
        return presentBinding(
          foundOr(
            all.find((binding) => binding.secret_id === secret_id),
            'binding',
          ),
        );
      });
    },
  }),
  route({
    methods: ['put'],
    path,
    summary: 'Replace the secrets of a check',
    description: 'Afterwards, exactly the given secrets are bound to the check.',
    tag,
    access: { needs: 'checks.write' },
    params: CheckParams,
    body: NewBindings,
    responses: { 200: All },
    find: findCheckInPath,
    refuse: (_, body) => bindingListBodyErrors(body),
    handle: async ({ params: { check_id }, body, context, commands, scope }) => {
      await commands.bind(replaceSecrets)(check_id, body, context);
      return ok(() => shown(scope, check_id));
    },
  }),
  route({
    methods: ['delete'],
    path: `${path}/{secret_id}`,
    summary: 'Unbind a secret from a check',
    description: 'The secret itself remains.',
    tag,
    access: { needs: 'checks.write' },
    params: Type.Object({ ...checkParams, secret_id: Id }),
    responses: { 204: null },
    waitsFor: [checks.name],
    find: async (call) => findBinding(await findCheckInPath(call), call.params.secret_id),
    handle: async ({ params, context, commands }) => {
      await commands.bind(unbindSecret)(params.check_id, params.secret_id, context);
      return noContent();
    },
  }),
];
