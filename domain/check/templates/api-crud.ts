import { inRequests } from './template.ts';

export const apiCrud = inRequests({
  id: 'apicrud00000',
  name: 'API: create, read, update, delete',
  description: 'Creates, reads, changes, lists and deletes a resource of an API, and cleans up when a step fails.',
  tags: ['api', 'crud', 'secrets'],
  requires_secrets: ['API_TOKEN'],
  script: String.raw`
import { test, expect } from '@playwright/test';

// The resources, relative to the URL of the check.
const COLLECTION = '/api/products';
// The resource to create. Its name is unique for each run, so that concurrent runs do not collide.
const CREATED = { name: 'Created by a check ' + Date.now(), price: 10 };
// The change to make.
const CHANGED = { price: 12 };

const headers = { authorization: 'Bearer ' + process.env.API_TOKEN };

// The path of the created resource, until it is deleted.
let left = null;

test('create, read, update, list and delete a resource', async ({ request }) => {
  const id = await test.step('create', async () => {
    const response = await request.post(COLLECTION, { headers, data: CREATED });
    expect(response.status(), 'the status of POST').toBe(201);
    const body = await response.json();
    expect(body).toMatchObject(CREATED);
    left = COLLECTION + '/' + body.id;
    return body.id;
  });
  const one = COLLECTION + '/' + id;

  await test.step('read', async () => {
    const response = await request.get(one, { headers });
    expect(response.status(), 'the status of GET').toBe(200);
    expect(await response.json()).toMatchObject(CREATED);
  });

  await test.step('update', async () => {
    const response = await request.patch(one, { headers, data: CHANGED });
    expect(response.status(), 'the status of PATCH').toBe(200);
    expect(await response.json()).toMatchObject({ ...CREATED, ...CHANGED });
  });

  await test.step('list', async () => {
    const response = await request.get(COLLECTION, { headers });
    expect(response.status(), 'the status of the list').toBe(200);
    const ids = (await response.json()).map((item) => item.id);
    expect(ids, 'ids in the list').toContain(id);
  });

  await test.step('delete', async () => {
    const response = await request.delete(one, { headers });
    expect(response.status(), 'the status of DELETE').toBe(204);
    left = null;
  });

  await test.step('it is gone', async () => {
    const response = await request.get(one, { headers });
    expect(response.status(), 'the status of GET after DELETE').toBe(404);
  });
});

test.afterEach('clean up after a failed run', async ({ request }) => {
  if (left) await request.delete(left, { headers });
});
`,
});
