import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { handleShopApi } from './shop-api.ts';
import { isCustomer, NO_FAULTS, type Faults } from './shop-faults.ts';
import { createGoods, type Product } from './shop-goods.ts';
import {
  cartPage,
  homePage,
  loginPage,
  orderPage,
  picture,
  problemPage,
  productPage,
  searchPage,
  STYLE,
  type Visitor,
} from './shop-pages.ts';
import { realPause } from '../../waiting.ts';

/** A small web shop on 127.0.0.1, which can be broken during a visit. */
export interface Shop {
  /** such as `http://127.0.0.1:34567` */
  url: string;
  /** Sets these faults, and repairs all others. */
  break: (faults: Partial<Faults>) => void;
  /** Returns the number of orders. */
  orders: () => number;
  /** Returns the names of all products. */
  goods: () => string[];
  close: () => Promise<void>;
}

interface Session {
  signedIn: boolean;
  cart: Product[];
}

/** The response to a browser: a page or a redirect. */
type Answer = { status: number; html: string } | { location: string };

const shown = (html: string, status = 200): Answer => ({ status, html });
const goOn = (location: string): Answer => ({ location });

export const startShop = async (): Promise<Shop> => {
  const goods = createGoods();
  const sessions = new Map<string, Session>();
  let faults: Faults = NO_FAULTS;
  let visitors = 0;
  let orders = 0;

  const sessionOf = (request: IncomingMessage, response: ServerResponse): Session => {
    const known = sessions.get(/(?:^|; )visitor=(\d+)/.exec(request.headers.cookie ?? '')?.[1] ?? '');
    if (known) return known;
    const session = { signedIn: false, cart: [] };
    visitors += 1;
    sessions.set(visitors.toString(), session);
    response.setHeader('set-cookie', `visitor=${visitors}; Path=/; HttpOnly`);
    return session;
  };

  const logIn = (session: Session, form: URLSearchParams): Answer => {
    if (!isCustomer(form.get('email'), form.get('password'), faults)) {
      return shown(loginPage(session, 'E-mail or password is wrong.'), 401);
    }
    session.signedIn = true;
    return goOn('/');
  };

  const putInCart = (session: Session, form: URLSearchParams): Answer => {
    const product = goods.one(Number(form.get('product')));
    if (product) session.cart.push(product);
    return goOn('/cart');
  };

  const buy = (session: Session): Answer => {
    if (!session.signedIn) return goOn('/login');
    if (faults.checkoutFails) return shown(problemPage(session, 'Internal Server Error'), 500);
    session.cart = [];
    orders += 1;
    return goOn(`/orders/${orders}`);
  };

  const answerPage = (method: string, { pathname, searchParams }: URL, session: Session, form: URLSearchParams) => {
    const visitor: Visitor = session;
    const [, folder, id = ''] = pathname.split('/');
    switch (`${method} /${folder ?? ''}`) {
      case 'GET /':
        return shown(homePage(visitor, goods.all()));
      case 'GET /search': {
        const term = searchParams.get('q') ?? '';
        const has = ({ name }: Product): boolean => name.toLowerCase().includes(term.toLowerCase());
        const found = faults.searchEmpty ? [] : goods.all().filter(has);
        return shown(searchPage(visitor, term, found));
      }
      case 'GET /products': {
        const product = goods.one(Number(id));
        return product ? shown(productPage(visitor, product)) : shown(problemPage(visitor, 'Not Found'), 404);
      }
      case 'GET /login':
        return shown(loginPage(visitor, null));
      case 'POST /login':
        return logIn(session, form);
      case 'POST /logout':
        session.signedIn = false;
        return goOn('/');
      case 'GET /cart':
        return shown(cartPage(visitor, faults));
      case 'POST /cart':
        return putInCart(session, form);
      case 'POST /checkout':
        return buy(session);
      case 'GET /orders':
        return shown(orderPage(visitor, Number(id)));
      default:
        return shown(problemPage(visitor, 'Not Found'), 404);
    }
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url: target = '/', headers } = request;
    const url = new URL(target, 'http://127.0.0.1');
    const body = await text(request);
    const sent = (status: number, type: string, content: string): void => {
      response.writeHead(status, { 'content-type': type }).end(content);
    };
    if (url.pathname === '/style.css') {
      sent(200, 'text/css', STYLE);
      return;
    }
    if (url.pathname === '/favicon.ico') {
      sent(204, 'image/x-icon', '');
      return;
    }
    const pictured = /^\/images\/(\d+)\.svg$/.exec(url.pathname)?.[1];
    if (pictured !== undefined) {
      const product = faults.imageMissing && pictured === '1' ? undefined : goods.one(Number(pictured));
      if (product) sent(200, 'image/svg+xml', picture(product));
      else sent(404, 'text/plain', 'There is no such picture.');
      return;
    }
    if (url.pathname.startsWith('/api/')) {
      const responded = handleShopApi(
        {
          method,
          path: url.pathname.slice('/api'.length),
          authorization: headers.authorization,
          body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>),
        },
        goods,
        faults,
      );
      sent(responded.status, 'application/json', responded.body ? JSON.stringify(responded.body) : '');
      return;
    }
    if (faults.slow > 0) await realPause(faults.slow, 'a slow shop', { ref: false });
    const shownPage = answerPage(method, url, sessionOf(request, response), new URLSearchParams(body));
    if ('location' in shownPage) response.writeHead(303, { location: shownPage.location }).end();
    else sent(shownPage.status, 'text/html; charset=utf-8', shownPage.html);
  };

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      response.writeHead(400).end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    break: (wanted) => {
      faults = { ...NO_FAULTS, ...wanted };
    },
    orders: () => orders,
    goods: () => goods.all().map(({ name }) => name),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
