/**
 * Measures the list of checks in the console, in a browser. Measures how soon the list is usable, how much it
 * transfers, queries and renders, and how fast it filters and edits. Also measures the cost of 300 checks that fail
 * within ten seconds.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { openBrowser } from '../../test/e2e/browser.ts';
import { closeLogs, fillChecks, openLogs, takeDown, type Logs } from '../tools/many-checks.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, percentile, type Row } from '../tools/table.ts';
import { measureEditing, measureFiltering, shareOf } from '../tools/console-tab.ts';
import { startService, type Service, type Statements } from '../weight/service.ts';

type Cookies = BrowserContextOptions['storageState'];

const FEW = sizeOf('CONSOLE_FEW', 1_000);
const MANY = sizeOf('CONSOLE_MANY', 10_000);
const HOURS = sizeOf('CONSOLE_HOURS', 26);
const FAILING = sizeOf('CONSOLE_FAILING', 300);
const SECONDS = 10;
const ROUNDS = 5;
const KIB = 1_024;
const EMAIL = 'bench@example.test';
const PASSWORD = 'a long enough pass phrase 7';

const AIMS = {
  few: { usable: '≤ 500 ms', sent: '≤ 250 KB' },
  many: { usable: '≤ 1,000 ms', sent: '≤ 600 KB' },
};

const createUser = async ({ address, key }: Service): Promise<void> => {
  const answer = await fetch(`${address}/v1/session/first-user`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  if (!answer.ok) throw new Error(`The first user got status ${answer.status}.`);
};

/**
 * Signs in once.
 *
 * @returns the session's cookies
 */
const signIn = async (browser: Browser, { address }: Service): Promise<Cookies> => {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(`${address}/console`);
  await page.getByLabel('E-mail').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: /^Account/ }).waitFor();
  const cookies = await context.storageState();
  await context.close();
  return cookies;
};

/** Script that records when the first row is shown, in milliseconds since the navigation began. */
const NOTE_FIRST_ROW = `new MutationObserver((_, observer) => {
  if (!document.querySelector('.checks tbody [data-id] .name')) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.usableAfter = performance.now(); }));
}).observe(document, { childList: true, subtree: true });`;

interface Opened {
  usable: number;
  bytes: number;
  nodes: number;
  queries: number;
  /** number of documents read by id; one request may read many */
  documents: number;
}

const queriesOf = ({ queries }: Statements): number => Object.values(queries).reduce((sum, count) => sum + count, 0);

/** Waits until a filled service is idle. */
const untilQuiet = async ({ statements }: Service): Promise<void> => {
  let known = -1;
  for (let same = 0; same < 3;) {
    await sleep(1_000);
    const count = statements ? queriesOf(await statements()) : 0;
    same = count === known ? same + 1 : 0;
    known = count;
  }
};

const transferred = async (session: CDPSession): Promise<() => number> => {
  let bytes = 0;
  session.on('Network.dataReceived', ({ encodedDataLength }) => (bytes += encodedDataLength));
  session.on('Network.responseReceived', ({ response }) => (bytes += response.encodedDataLength));
  await session.send('Network.enable');
  return () => bytes;
};

/** Opens the list of checks in a tab with an empty cache. */
const openList = async (
  browser: Browser,
  service: Service,
  storageState: Cookies,
): Promise<{ page: Page; bytes: () => number; close: () => Promise<Cookies> }> => {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1_440, height: 900 },
    ...(storageState !== undefined && { storageState }),
  });
  const page = await context.newPage();
  await page.addInitScript(NOTE_FIRST_ROW);
  const bytes = await transferred(await context.newCDPSession(page));
  await page.goto(`${service.address}/console/checks`);
  await page.waitForFunction(() => 'usableAfter' in window, null, { polling: 50 });
  const close = async (): Promise<Cookies> => {
    // The cookies are stored again, because a session gets new cookies whenever it is refreshed.
    const state = await context.storageState();
    await context.close();
    return state;
  };
  return { page, bytes, close };
};

const openings = async (
  browser: Browser,
  service: Service,
  cookies: Cookies,
): Promise<{ opened: Opened; cookies: Cookies }> => {
  const all: Opened[] = [];
  let state = cookies;
  for (let round = 0; round < ROUNDS; round++) {
    const before = await service.statements?.();
    const { page, bytes, close } = await openList(browser, service, state);
    await page.waitForLoadState('load');
    await sleep(500);
    const after = await service.statements?.();
    const [usable, nodes] = await page.evaluate<number[]>(
      '[window.usableAfter, document.querySelectorAll("*").length]',
    );
    const queries = before && after ? queriesOf(after) - queriesOf(before) : Number.NaN;
    const documents = before && after ? after.documents - before.documents : Number.NaN;
    all.push({ usable: usable ?? 0, nodes: nodes ?? 0, bytes: bytes(), queries, documents });
    state = await close();
  }
  const of = (name: keyof Opened): number => median(all.map((one) => one[name]));
  return {
    opened: {
      usable: of('usable'),
      bytes: of('bytes'),
      nodes: of('nodes'),
      queries: of('queries'),
      documents: of('documents'),
    },
    cookies: state,
  };
};

/** Returns the times of sequential requests during an operation, in milliseconds. */
const answering = async ({ address, key }: Service, id: string, during: Promise<unknown>): Promise<number[]> => {
  const state = { isOver: false };
  void during.finally(() => (state.isOver = true));
  const times: number[] = [];
  while (!state.isOver) {
    const began = performance.now();
    const answer = await fetch(`${address}/v1/checks/${id}`, { headers: { authorization: key } });
    await answer.arrayBuffer();
    times.push(performance.now() - began);
    await sleep(5);
  }
  return times;
};

const failingTogether = async (logs: Logs, organization: string, ids: readonly string[]): Promise<void> => {
  const began = performance.now();
  for (const [index, id] of ids.entries()) {
    await takeDown(logs, organization, id);
    await sleep(Math.max(0, began + ((index + 1) * SECONDS * 1_000) / ids.length - performance.now()));
  }
};

const ms = (value: number): string => `${Math.round(value).toLocaleString('en')} ms`;

export const bench = async (): Promise<Row[]> => {
  const service = await startService();
  const logs = await openLogs(join(service.dataDirectory));
  const browser = await openBrowser();
  try {
    const rows: Row[] = [];
    await createUser(service);
    let cookies = await signIn(browser, service);
    const ids: string[] = [];
    let organization = '';
    for (const [size, aims] of [
      [FEW, AIMS.few],
      [MANY, AIMS.many],
    ] as const) {
      const filled = await fillChecks(service, logs, { from: ids.length, to: size, hours: HOURS });
      ids.push(...filled.ids);
      organization = filled.organization_id;
      await untilQuiet(service);
      const { opened, cookies: next } = await openings(browser, service, cookies);
      cookies = next;
      const of = `the list of ${size.toLocaleString('en')} checks in the console`;
      rows.push(
        { what: `${of}: usable after`, figure: ms(opened.usable), aim: aims.usable },
        { what: `${of}: transferred`, figure: `${Math.round(opened.bytes / KIB)} KiB`, aim: aims.sent },
        {
          what: `${of}: queries of read models`,
          figure: opened.queries.toString(),
          peer: `${opened.documents.toLocaleString('en')} documents by id`,
          aim: '≤ 10',
        },
        { what: `${of}: DOM nodes`, figure: opened.nodes.toLocaleString('en'), aim: '≤ 3,000' },
      );
    }
    const { page, close } = await openList(browser, service, cookies);
    const keys = await measureFiltering(page);
    const edits = await measureEditing(page);
    const calm = await answering(service, ids[1] ?? '', sleep(SECONDS * 1_000));
    let busy: number[] = [];
    const share = await shareOf(page, async () => {
      const down = failingTogether(logs, organization, ids.slice(1, FAILING + 1));
      busy = await answering(service, ids[1] ?? '', down);
    });
    await close();
    const p99 = (times: readonly number[]): number => percentile([...times], 0.99);
    const many = MANY.toLocaleString('en');
    rows.push(
      {
        what: `a key in the filter of ${many} checks, until rendered`,
        figure: `${ms(median(keys))}, max ${ms(Math.max(...keys))}`,
        aim: '≤ 50 ms',
      },
      { what: `an edit of one of ${many} checks, until shown`, figure: ms(median(edits.times)), aim: '≤ 150 ms' },
      { what: 'the same: changed rows', figure: edits.rows.toString(), aim: '1' },
      {
        what: `${FAILING} checks fail within ${SECONDS} s: the tab`,
        figure: `${(share * 100).toFixed(0)} % of a core`,
        aim: '< 30 %',
      },
      {
        what: 'the same: p99 of GET of a check',
        figure: ms(p99(busy)),
        peer: `idle ${ms(p99(calm))}`,
        aim: '< twice',
      },
    );
    return rows;
  } finally {
    await browser.close();
    await closeLogs(logs);
    await service.stop();
  }
};
