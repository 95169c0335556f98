import { suite } from 'uvu';
import { secrets, type SecretDocument } from '../../../projections/secrets/projection.ts';
import { ORGANIZATION } from '../../domain/check/examples.ts';
import {
  managedByChanged,
  NAME,
  SECRET,
  sealedValue,
  secretClaimed,
  secretCreated,
  secretDeleted,
  valueChanged,
  valueRead,
} from '../../domain/secret/examples.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of secrets');

const document = (fields: Partial<SecretDocument> = {}): SecretDocument => ({
  id: SECRET,
  organization_id: ORGANIZATION,
  secret_name: NAME,
  secret_value: sealedValue(),
  revision: 1,
  created_by: 'key000000001',
  updated_by: 'key000000001',
  created_at: '2026-11-20T15:00:00.000000',
  updated_at: '2026-11-20T15:00:00.000000',
  ...fields,
});
const by = (id: string) => ({ metadata: { actor: { kind: 'user', id, role: 'editor' } as const } });

test('a secret has its encrypted value and its creator', () =>
  projection(secrets)
    .given({ ...secretCreated(), ...by('user00000001') })
    .then('secrets', document({ created_by: 'user00000001', updated_by: 'user00000001' })));

test('a new value is stored, with the user who changed it', () =>
  projection(secrets)
    .given(secretCreated(), { ...valueChanged(), ...by('user00000002') })
    .then(
      'secrets',
      document({
        secret_value: sealedValue('b3RoZXI'),
        revision: 2,
        updated_by: 'user00000002',
        updated_at: '2026-11-20T15:00:01.000000',
      }),
    ));

test('the program that maintains a secret is stored, and null if there is none any more', async () => {
  const marked = secretCreated({ managed_by: 'apply' });
  await projection(secrets)
    .given(marked)
    .then('secrets', document({ managed_by: 'apply' }));
  const changed = { managed_by: null, revision: 2, updated_at: '2026-11-20T15:00:01.000000' };
  await projection(secrets).given(marked, managedByChanged(null)).then('secrets', document(changed));
});

test('a secret contains neither its readers nor the checks that are bound to it', () =>
  projection(secrets).given(secretCreated(), valueRead, secretClaimed(1)).then('secrets', document()));

test('a deleted secret is removed', () =>
  projection(secrets).given(secretCreated(), secretDeleted).thenNone('secrets', SECRET));

test.run();

projectionRules(secrets, [secretCreated(), managedByChanged(), valueChanged(), secretDeleted]);
