import { CUSTOMER, type Faults } from './shop-faults.ts';
import type { Product } from './shop-goods.ts';

/** The colour of the bar at the top of every page, as `#RRGGBB`. Screenshots of the shop have it in their corner. */
export const BAR_COLOUR = '#1f4e5f';

export const STYLE = `
  body { margin: 0; font: 16px/1.5 sans-serif; color: #222; background: #f6f4ef; }
  header { display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: center; padding: 16px 32px; background: ${BAR_COLOUR}; color: #fff; }
  header a { color: #fff; } header strong { font-size: 22px; margin-right: auto; }
  main { max-width: 900px; margin: 32px auto; padding: 0 16px; }
  ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 24px; padding: 0; list-style: none; }
  li { background: #fff; border-radius: 8px; padding: 16px; box-shadow: 0 1px 4px #0002; }
  li img { width: 100%; height: 160px; } li b { float: right; }
  form.inline { display: inline; } label { display: block; margin: 12px 0; } label input { display: block; width: 320px; max-width: 100%; box-sizing: border-box; }
  input, button { font: inherit; padding: 8px 12px; border-radius: 6px; border: 1px solid #bbb; }
  button { background: #d9822b; color: #fff; border: 0; cursor: pointer; }
  .problem { background: #fde2e0; padding: 12px 16px; border-radius: 6px; }
`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** What every page needs to know about its visitor. */
export interface Visitor {
  signedIn: boolean;
  cart: readonly Product[];
}

const page = (title: string, { signedIn, cart }: Visitor, content: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title} – Loopback Shop</title><link rel="stylesheet" href="/style.css"></head>
<body>
<header>
  <strong>Loopback Shop</strong>
  <form class="inline" action="/search"><input type="search" name="q" aria-label="Search the shop"></form>
  <a href="/">Home</a> <a href="/cart">Cart (${cart.length})</a>
  ${
    signedIn
      ? `<span>Hello, ${CUSTOMER.name}</span><form class="inline" method="post" action="/logout"><button>Sign out</button></form>`
      : '<a href="/login">Sign in</a>'
  }
</header>
<main><h1>${title}</h1>${content}</main>
</body>
</html>`;

const card = ({ id, name, price }: Product): string => `<li>
  <img src="/images/${id}.svg" alt="${escaped(name)}" loading="lazy">
  <a href="/products/${id}">${escaped(name)}</a> <b>${price} €</b>
</li>`;

const cards = (products: readonly Product[]): string => `<ul>${products.map(card).join('')}</ul>`;

export const homePage = (visitor: Visitor, products: readonly Product[]): string =>
  page('Things for your home', visitor, cards(products));

export const searchPage = (visitor: Visitor, term: string, found: readonly Product[]): string =>
  page(
    `Results for “${escaped(term)}”`,
    visitor,
    found.length > 0 ? cards(found) : '<p>There is nothing like that here.</p>',
  );

export const productPage = (visitor: Visitor, product: Product): string =>
  page(
    escaped(product.name),
    visitor,
    `${cards([product])}
    <form method="post" action="/cart"><input type="hidden" name="product" value="${product.id}">
    <button>Add to cart</button></form>`,
  );

export const loginPage = (visitor: Visitor, problem: string | null): string =>
  page(
    'Sign in',
    visitor,
    `${problem === null ? '' : `<p class="problem" role="alert">${problem}</p>`}
    <form method="post" action="/login">
      <label>E-mail <input type="email" name="email" required></label>
      <label>Password <input type="password" name="password" required></label>
      <button>Sign in</button>
    </form>`,
  );

export const cartPage = (visitor: Visitor, { buttonRenamed }: Faults): string =>
  page(
    'Your cart',
    visitor,
    `${cards(visitor.cart)}
    <p>Total: <b>${visitor.cart.reduce((sum, { price }) => sum + price, 0)} €</b></p>
    <form method="post" action="/checkout"><button>${buttonRenamed ? 'Place order' : 'Buy now'}</button></form>`,
  );

export const orderPage = (visitor: Visitor, order: number): string =>
  page('Thank you', visitor, `<p>Your order has the number ${order}.</p>`);

export const problemPage = (visitor: Visitor, title: string): string =>
  page(title, visitor, '<p class="problem" role="alert">This did not work.</p>');

/** Renders the picture of a product. */
export const picture = ({ id }: Product): string => {
  const colour = ['#d9822b', '#5f8f6b', '#7a5fa0', '#b5524a'][id % 4] ?? '#888';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 160" width="200" height="160">
<rect width="200" height="160" fill="#eee"/><circle cx="100" cy="80" r="52" fill="${colour}"/></svg>`;
};
