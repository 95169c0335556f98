/** Scripts for checks of the shop. Each script signs in with `SHOP_EMAIL` and `SHOP_PASSWORD`. */

/** A script in which a customer signs in, fills the cart and places an order. */
export const BUYING = String.raw`
import { test, expect as quickly } from '@playwright/test';

// As patient as all the rest.
const expect = quickly.configure({ timeout: 12_000 });
const { SHOP_EMAIL, SHOP_PASSWORD } = process.env;

test('a customer buys a lamp', async ({ page }) => {
  page.setDefaultTimeout(12_000);
  // Nobody should, but people do.
  console.log('signing in with', SHOP_PASSWORD);

  await test.step('open the shop', async () => {
    await page.goto('/');
    await expect(page).toHaveTitle(/Loopback Shop/);
  });

  await test.step('sign in', async () => {
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail').fill(SHOP_EMAIL);
    await page.getByLabel('Password').fill(SHOP_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText('Hello, Ida')).toBeVisible();
  });

  await test.step('put a lamp into the cart', async () => {
    await page.getByRole('link', { name: 'Desk lamp' }).click();
    await page.getByRole('button', { name: 'Add to cart' }).click();
    await expect(page.getByRole('link', { name: 'Cart (1)' })).toBeVisible();
  });

  await test.step('check out', async () => {
    await page.getByRole('button', { name: 'Buy now' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you');
  });

  await page.screenshot({ path: 'thanks.png' });
});
`;

/** The steps of each test in `BUYING`. */
export const BUYING_STEPS = [['open the shop', 'sign in', 'put a lamp into the cart', 'check out']];

/** A script in which a program signs in at the API, and creates, reads, changes and deletes a product. */
export const STOCKING = String.raw`
const { test, expect } = require('@playwright/test');

test.describe('the stock', () => {
  let headers;

  test('a token is given', async ({ request }) => {
    const answer = await test.step('sign in at the API', async () => {
      const data = { email: process.env.SHOP_EMAIL, password: process.env.SHOP_PASSWORD };
      const response = await request.post('/api/login', { data });
      expect(response.status(), 'the status of signing in').toBe(200);
      return response.json();
    });
    headers = { authorization: 'Bearer ' + answer.token };
  });

  test('a product is added and taken out again', async ({ request }) => {
    let one;
    await test.step('add a product', async () => {
      const response = await request.post('/api/products', { headers, data: { name: 'Vase', price: 20 } });
      expect(response.status(), 'the status of adding').toBe(201);
      one = '/api/products/' + (await response.json()).id;
    });
    await test.step('change its price', async () => {
      const response = await request.patch(one, { headers, data: { price: 18 } });
      expect(response.status(), 'the status of changing').toBe(200);
      expect(await response.json()).toMatchObject({ name: 'Vase', price: 18 });
    });
    await test.step('take it out', async () => {
      expect((await request.delete(one, { headers })).status()).toBe(204);
      expect((await request.get(one, { headers })).status()).toBe(404);
    });
  });
});
`;

export const STOCKING_STEPS = [['sign in at the API'], ['add a product', 'change its price', 'take it out']];
