import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createChecks } from '../../../cli/apply/bulk.ts';
import { Refusal, type Client, type FieldError } from '../../../cli/apply/client.ts';
import type { Fields } from '../../../domain/fields.ts';
import { fakeService } from './fake-service.ts';

const test = suite('the creation of checks in bulk');

/** Creates checks. Returns their outcomes and the paths and bodies of all requests. `refuse` throws for refused ones. */
const created = async (names: readonly string[], refuse: (path: string, names: readonly string[]) => void) => {
  const { client } = fakeService();
  const requests: [string, string[]][] = [];
  const write: Client['write'] = async (method, path, body, options) => {
    const { create = [body as Fields] } = body as { create?: Fields[] };
    const sent = create.map(({ name }) => String(name));
    requests.push([path, sent]);
    refuse(path, sent);
    return client.write(method, path, body, options);
  };
  const outcomes: string[] = [];
  await createChecks(
    { ...client, write },
    names.map((name) => ({ name })),
    (index, outcome) => {
      outcomes[index] = 'id' in outcome ? 'created' : outcome.refusal.message;
    },
  );
  return { outcomes, requests };
};

test('checks because of which a whole request is refused are reported, and the others are sent again', async () => {
  const { outcomes, requests } = await created(['A', 'bad', 'B', 'worse'], (_, names) => {
    const errors = names.flatMap((name, n): FieldError[] => {
      if (name === 'bad') return [[`create.${n}.name`, 'Is bad.']];
      return name === 'worse' && !names.includes('bad') ? [[`create.${n}`, 'Is worse.']] : [];
    });
    if (errors.length > 0) throw new Refusal(400, 'create.1.name: …', errors);
  });
  assert.equal(outcomes, ['created', 'name: Is bad.', 'created', 'Is worse.']);
  assert.equal(
    requests.map(([, names]) => names),
    [
      ['A', 'bad', 'B', 'worse'],
      ['A', 'B', 'worse'],
      ['A', 'B'],
    ],
  );
});

test('checks are created one by one if a request is refused without naming any', async () => {
  const { outcomes, requests } = await created(['A', 'bad'], (_, names) => {
    if (names.includes('bad')) throw new Refusal(400, 'Something is bad.');
  });
  assert.equal(outcomes, ['created', 'Something is bad.']);
  assert.equal(
    requests.map(([path]) => path),
    ['/v1/checks/bulk', '/v1/checks', '/v1/checks'],
  );
});

test('a request that the API key does not allow is not repeated for each check', async () => {
  const { outcomes, requests } = await created(['A', 'B'], () => {
    throw new Refusal(403, 'Not allowed.');
  });
  assert.equal(outcomes, ['Not allowed.', 'Not allowed.']);
  assert.is(requests.length, 1);
});

test.run();
