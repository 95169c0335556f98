import { createHmac } from 'node:crypto';
import { API_TOKEN, CUSTOMER, isCustomer, type Faults } from './shop-faults.ts';
import type { Goods, Product } from './shop-goods.ts';

/** A response of the shop's API. `body` is null if there is none. */
export interface ShopApiResponse {
  status: number;
  body: object | null;
}

interface ApiRequest {
  method: string;
  /** the path after `/api` */
  path: string;
  authorization: string | undefined;
  body: Record<string, unknown>;
}

const KEY = 'the key that signs tokens of the shop';
/** Lifetime of a token, in seconds. */
const TOKEN_LIVES = 900;

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const signature = (text: string): string => createHmac('sha256', KEY).update(text).digest('base64url');

/** Returns a JWT (RFC 7519) signed with HS256. */
const tokenOf = (email: string): string => {
  const exp = Math.floor(Date.now() / 1_000) + TOKEN_LIVES;
  const text = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url({ sub: email, exp })}`;
  return `${text}.${signature(text)}`;
};

const isToken = (token: string): boolean => {
  const dot = token.lastIndexOf('.');
  return token === API_TOKEN || (dot > 0 && signature(token.slice(0, dot)) === token.slice(dot + 1));
};

const problem = (status: number, message: string): ShopApiResponse => ({ status, body: { message } });

const fieldsOf = ({ name, price }: Record<string, unknown>): Partial<Omit<Product, 'id'>> => ({
  ...(typeof name === 'string' && { name }),
  ...(typeof price === 'number' && { price }),
});

const many = (method: string, body: ApiRequest['body'], goods: Goods): ShopApiResponse => {
  if (method === 'GET') return { status: 200, body: goods.all() };
  if (method !== 'POST') return problem(405, 'There is no such method here.');
  const { name, price } = fieldsOf(body);
  if (name === undefined || price === undefined) return problem(422, 'A product has a name and a price.');
  return { status: 201, body: goods.add({ name, price }) };
};

const single = (
  method: string,
  id: number,
  body: ApiRequest['body'],
  goods: Goods,
  { changingFails }: Faults,
): ShopApiResponse => {
  const product = goods.one(id);
  if (!product) return problem(404, 'There is no such product.');
  switch (method) {
    case 'GET':
      return { status: 200, body: product };
    case 'PATCH':
      if (changingFails) return problem(500, 'This did not work.');
      return { status: 200, body: goods.change(id, fieldsOf(body)) ?? product };
    case 'DELETE':
      goods.remove(id);
      return { status: 204, body: null };
    default:
      return problem(405, 'There is no such method here.');
  }
};

/** Handles requests to the API of the shop: the sign-in, and the products for clients with a token. */
export const handleShopApi = (
  { method, path, authorization = '', body }: ApiRequest,
  goods: Goods,
  faults: Faults,
): ShopApiResponse => {
  if (path === '/login' && method === 'POST') {
    return isCustomer(body['email'], body['password'], faults)
      ? { status: 200, body: { token: tokenOf(CUSTOMER.email) } }
      : problem(401, 'E-mail or password is wrong.');
  }
  if (!isToken(authorization.replace(/^Bearer /, ''))) return problem(401, 'A token is needed.');
  if (path === '/me') return { status: 200, body: { email: CUSTOMER.email, name: CUSTOMER.name } };
  if (path === '/products') return many(method, body, goods);
  const id = /^\/products\/(\d+)$/.exec(path)?.[1];
  return id === undefined ? problem(404, 'There is nothing here.') : single(method, Number(id), body, goods, faults);
};
