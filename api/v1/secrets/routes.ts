import { Type } from '@sinclair/typebox';
import { commandContext } from '../../../commands/engine/context.ts';
import { changeSecret, createSecret, deleteSecret, recordValueRead } from '../../../commands/checks/secrets.ts';
import { isFields } from '../../../domain/fields.ts';
import { revisedIn } from '../../../domain/revision.ts';
import type { FieldMessages } from '../../../http/validation-messages.ts';
import { secrets, type SecretDocument } from '../../../projections/secrets/projection.ts';
import { ownSecrets, decryptSecretValue } from '../../../queries/secrets.ts';
import { pagesOfStyleA } from '../../pagination.ts';
import { created, noContent, ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { NewSecret, presentSecret, Secret, SecretChange, SecretWithValue } from './schema.ts';

const tag = 'Secrets';
const path = '/v1/secrets';
const byId = `${path}/{secret_id}`;
const params = Type.Object({ secret_id: Id });
const revised = ({ secret_id }: { secret_id: string }) => revisedIn('secret', secret_id);
const list = pagesOfStyleA({ key: 'secrets', size: 20, newestBy: 'created_at' });

/** Fields that are omitted from the response if a request is repeated with the same `Idempotency-Key`. */
const oneTime = ['secret_value'] as const;

const brokenChange = ({ secret_name }: SecretDocument, body: unknown): FieldMessages | null => {
  if (!isFields(body)) return null;
  if (body['secret_name'] === undefined) {
    const isEmpty = body['secret_value'] === undefined && body['managed_by'] === undefined;
    return isEmpty ? { secret_value: ['Missing required field.'] } : null;
  }
  return body['secret_name'] === secret_name ? null : { secret_name: ["A secret's name can't be changed."] };
};

/** The routes of secrets, which are named values that the scripts of checks can read (docs/reference/secrets.md). */
export const secretRoutes: Route[] = [
  route({
    methods: ['get'],
    path,
    summary: 'List secrets',
    description: 'The list is sorted newest first and does not contain the values.',
    tag,
    access: { needs: 'secrets.read' },
    confidential: true,
    query: Type.Object(list.query),
    responses: { 200: list.answer(Secret) },
    heavy: true,
    handle: ({ query, scope }) =>
      ok(() => list.body(query, (paging) => ownSecrets.list(scope, {}, paging), presentSecret)),
  }),
  route({
    methods: ['post'],
    path,
    summary: 'Create a secret',
    description: 'The response does not contain the value.',
    tag,
    access: { needs: 'secrets.write' },
    body: NewSecret,
    secretBody: true,
    responses: { 201: Secret },
    handle: async ({ body, context, commands, scope }) => {
      const id = await commands.bind(createSecret)(body, context);
      return created(`${path}/${id}`, id, async () => presentSecret(await ownSecrets.one(scope, id)));
    },
  }),
  route({
    methods: ['get'],
    path: byId,
    summary: 'Get a secret',
    description: 'Editors and admins get the value, which is recorded in the audit log.',
    tag,
    access: { needs: 'secrets.read' },
    confidential: true,
    params,
    revised,
    responses: { 200: SecretWithValue },
    find: ({ scope, params }) => ownSecrets.one(scope, params.secret_id),
    handle: async ({ params: { secret_id: id }, found, context, commands, scope, may, sealedFor }) => {
      if (!may('secrets.reveal')) return ok(() => presentSecret(found));
      // A separate `appended` prevents the response from waiting until the read models contain the event of this read.
      // The response does not depend on that event.
      const noting = commandContext({ ...context, ...(await sealedFor(context)), appended: new Map() });
      await commands.bind(recordValueRead)(id, noting);
      return ok(async () => {
        const secret = await ownSecrets.one(scope, id);
        return { ...presentSecret(secret), secret_value: await decryptSecretValue(scope, secret) };
      });
    },
  }),
  route({
    methods: ['put', 'patch'],
    path: byId,
    summary: 'Change the value of a secret',
    description: 'Runs that start afterwards read the new value.',
    tag,
    access: { needs: 'secrets.write' },
    confidential: true,
    oneTime,
    params,
    revised,
    body: SecretChange,
    secretBody: true,
    responses: { 200: SecretWithValue },
    find: ({ scope, params }) => ownSecrets.one(scope, params.secret_id),
    refuse: brokenChange,
    handle: async ({ params: { secret_id: id }, body, context, commands, scope }) => {
      const { secret_value } = body;
      if (secret_value !== undefined || body.managed_by !== undefined) {
        await commands.bind(changeSecret)(id, body, context);
      }
      if (secret_value === undefined) return ok(async () => presentSecret(await ownSecrets.one(scope, id)));
      // Return the value from the request, not the stored value. Another user might have changed the secret in the
      // meantime, and reading that user's value would need an audit entry.
      return ok(async () => ({ ...presentSecret(await ownSecrets.one(scope, id)), secret_value }));
    },
  }),
  route({
    methods: ['delete'],
    path: byId,
    summary: 'Delete a secret',
    description: 'The secret must not be bound to a check. Its value is erased everywhere.',
    tag,
    access: { needs: 'secrets.write' },
    params,
    revised,
    responses: { 204: null },
    waitsFor: [secrets.name],
    find: ({ scope, params }) => ownSecrets.one(scope, params.secret_id),
    handle: async ({ params, context, commands }) => {
      await commands.bind(deleteSecret)(params.secret_id, context);
      return noContent();
    },
  }),
];
